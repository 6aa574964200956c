// Imported first by every command: an old Node must be refused in words, not by a syntax error further down.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Wavescope needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
