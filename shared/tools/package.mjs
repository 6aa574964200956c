// npm run package [-- [--out DIR] [--here] [--try [PYTHON...] [--slide FILE] [--busy]]]: the wheels, the sdist, the archive of the
// npm package, the notices and the SBOM (shared/spec/install.md). `--here`: only the wheel of this machine, of the kernel and the page as they are. `--try`: installs the wheel
// into an empty environment of each PYTHON (default: that of .venv), opens a slide with it (FILE, or one of the test data), and says what
// it takes. With `--busy`, times are printed and have no bound.
import "./node-version.mjs";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MACHINES } from "./build-kernel.mjs";
import { packNpm } from "./package/npmArchive.mjs";
import { stage } from "./package/stage.mjs";
import { tryWheel } from "./package/tryWheel.mjs";
import { Stop, command, inVenv, projectVersion, root, run } from "./repository.mjs";
import { service } from "./setup.mjs";

const ANY = "any";

function readArguments(args) {
  const options = { out: { type: "string" }, here: { type: "boolean" }, try: { type: "boolean" } };
  Object.assign(options, { slide: { type: "string" }, busy: { type: "boolean" } });
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const tried = positionals[0] ?? values.slide;
    if (tried !== undefined && !values.try) throw new Error(`${tried} goes with --try`);
    return { ...values, pythons: positionals };
  } catch (cause) {
    throw new Stop(cause.message, "", 2);
  }
}

async function hatch(folder, out, target, machine) {
  const args = ["-m", "hatchling", "build", "--directory", out, "--target", target];
  const done = await run(inVenv("python"), args, { cwd: folder, env: { ...process.env, WHEEL_MACHINE: machine } });
  if (done.code !== 0) throw new Stop(`The ${target} could not be built.`, done.output);
}

/** Fills the folder `out`, which had the artefacts of an earlier build. */
async function pack(out, here) {
  if (!here) {
    await service();
    await packNpm(out);
  }
  const staged = mkdtempSync(join(tmpdir(), "wavescope-package-"));
  try {
    const machines = here ? [] : MACHINES;
    await stage(staged, machines, out);
    if (here) return await hatch(staged, out, "wheel", ANY);
    await hatch(staged, out, "sdist", ANY);
    for (const machine of [...machines, ANY]) await hatch(staged, out, "wheel", machine);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** The folder may have other things, such as the documentation site. */
const artefacts = (out) => readdirSync(out).filter((name) => name.startsWith("wavescope-"));

function clear(out) {
  mkdirSync(out, { recursive: true });
  for (const name of artefacts(out)) rmSync(join(out, name));
}

command(async (args) => {
  const { here, pythons, ...options } = readArguments(args);
  const out = resolve(options.out ?? join(root, "dist"));
  clear(out);
  await pack(out, here);
  for (const name of artefacts(out).sort())
    console.log(`${relative(process.cwd(), join(out, name))}  ${(statSync(join(out, name)).size / 1e6).toFixed(2)} MB`);
  if (!options.try) return;
  const slide = options.slide && resolve(options.slide);
  for (const python of pythons.length ? pythons : [inVenv("python")])
    await tryWheel({ out, python, slide, busy: options.busy, version: projectVersion() });
});
