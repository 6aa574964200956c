// Where things are in the repository, and how a command runs another program.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const windows = process.platform === "win32";
export const root = fileURLToPath(new URL("../..", import.meta.url));
export const at = (...parts) => join(root, ...parts);
export const venv = at(".venv");
export const inVenv = (name) => (windows ? join(venv, "Scripts", `${name}.exe`) : join(venv, "bin", name));

/** The version of Wavescope, which only backend/pyproject.toml decides. */
export const projectVersion = () => /^version = "(.+)"$/m.exec(readFileSync(at("backend/pyproject.toml"), "utf8"))[1];

/** A reason to stop, in the user's words; `details` is what the failing program printed. */
export class Stop extends Error {
  constructor(message, details = "", code = 1) {
    super(message);
    this.details = details;
    this.code = code;
  }
}

const children = new Set();

/** Ends every program still running under this command. */
export function endChildren(signal = "SIGTERM") {
  for (const child of children) child.kill(signal);
}

/** Starts a program; the caller owns it. Children are ended together with this command. */
export function launch(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", windowsHide: true, ...options });
  children.add(child);
  const forget = () => children.delete(child);
  child.once("exit", forget);
  child.once("error", forget);
  return child;
}

/** Resolves with the exit code of a program and, unless `stdio` says otherwise, with all it printed. Never rejects. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = launch(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    const collect = (chunk) => (output += chunk);
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    child.once("error", (cause) => resolve({ code: 127, output: output + cause.message }));
    child.once("close", (code, signal) => resolve({ code: code ?? (signal ? 130 : 1), output }));
  });
}

/** npm in a folder, by the very npm that started this command if there is one. */
export function npm(folder, args, options = {}) {
  const given = process.env.npm_execpath;
  const [command, first] = given?.endsWith("npm-cli.js")
    ? [process.execPath, [given]]
    : [windows ? "npm.cmd" : "npm", []];
  return run(command, [...first, ...args], { cwd: at(folder), shell: windows && !first.length, ...options });
}

/** A hash of the content of files and folders (names included); what does not exist counts as such. */
export function contentHash(paths, ...more) {
  const hash = createHash("sha256");
  const visit = (path) => {
    hash.update(`\0${path.slice(root.length)}\0`);
    if (!existsSync(path)) return;
    if (!statSync(path).isDirectory()) return void hash.update(readFileSync(path));
    for (const name of readdirSync(path).sort()) if (name !== "node_modules") visit(join(path, name));
  };
  for (const path of paths) visit(at(path));
  for (const text of more) hash.update(`\0${text}`);
  return hash.digest("hex");
}

/** Does `work` unless the stamp file says that it was done for this very hash. True if it was done now. */
export async function once(stamp, hash, work) {
  const file = at(stamp);
  if (existsSync(file) && readFileSync(file, "utf8") === hash) return false;
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hash);
  return true;
}

/** Runs a command's main function; a Stop ends it with its message, an interruption ends the children too. */
export async function command(main) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      endChildren();
      process.exit(130);
    });
  }
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (cause) {
    if (!(cause instanceof Stop)) throw cause;
    if (cause.details) console.error(cause.details.trimEnd());
    console.error(`\n${cause.message}`);
    endChildren();
    process.exitCode = cause.code;
  }
}
