// npm run release [-- [--checked] [--qupath FOLDER] [--key FILE]]: runs npm test -- --long, builds the packages, writes their sums and the notes
// of this version into dist/ (IN17). `--checked`: it has just passed. `--qupath`: the folder of an installed QuPath, for the extension.
// `--key`: a private key as PEM (Ed25519) that signs the sums.
import "./node-version.mjs";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Stop, at, command, projectVersion, root, run } from "./repository.mjs";

const SUMS = ".sha256";

/** The section of a version in the changelog, without its heading. */
export function notes(changelog, version) {
  const [, section] = changelog.split(`\n## ${version}\n`);
  const text = section?.split("\n## ", 1)[0].trim();
  if (!text) throw new Stop(`CHANGELOG.md has no section "## ${version}" with a text.`);
  return `${text}\n`;
}

/** Writes the notes and the sums of all artefacts of a version in the folder `out`, in the form of sha256sum. */
export function complete(out, version, changelog, key) {
  const prefix = `wavescope-${version}`;
  writeFileSync(join(out, `${prefix}-changes.md`), notes(changelog, version));
  const names = readdirSync(out).filter((name) => name.startsWith(prefix) && !name.includes(SUMS));
  const sum = (name) =>
    createHash("sha256")
      .update(readFileSync(join(out, name)))
      .digest("hex");
  const text = names
    .sort()
    .map((name) => `${sum(name)}  ${name}\n`)
    .join("");
  writeFileSync(join(out, `${prefix}${SUMS}`), text);
  if (key !== undefined)
    writeFileSync(join(out, `${prefix}${SUMS}.sig`), sign(null, Buffer.from(text), createPrivateKey(key)));
}

async function must(name, program, args) {
  const { code } = await run(program, args, { stdio: "inherit" });
  if (code !== 0) throw new Stop(`${name} failed: nothing is released.`);
}

async function main(args) {
  const options = { checked: { type: "boolean" }, qupath: { type: "string" }, key: { type: "string" } };
  const { values } = parseArgs({ args, options });
  const [version, changelog, out] = [projectVersion(), readFileSync(at("CHANGELOG.md"), "utf8"), at("dist")];
  const key = values.key && readFileSync(values.key, "utf8");
  notes(changelog, version); // before the long work
  const changed = await run("git", ["status", "--porcelain"]);
  if (changed.code !== 0 || changed.output) throw new Stop("Only what is committed is released.", changed.output);
  if (!values.checked) await must("npm test -- --long", process.execPath, [at("shared/tools/test.mjs"), "--long"]);
  await must("npm run package", process.execPath, [at("shared/tools/package.mjs")]);
  const { qupath } = values;
  const extension = [at("shared/qupath/build.mjs"), "--qupath", qupath];
  if (qupath !== undefined) await must("The extension for QuPath", process.execPath, extension);
  complete(out, version, changelog, key);
  console.log(`${relative(root, out)} has version ${version}; tag the commit as v${version}.`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) command(main);
