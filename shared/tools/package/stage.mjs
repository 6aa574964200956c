// The folder from which hatchling builds wheel and sdist: the Python code, the built parts, and what must be said about them.
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildLibrary } from "../build-kernel.mjs";
import { Stop, at, inVenv, projectVersion, run } from "../repository.mjs";
import { notices } from "./notices.mjs";
import { builtLibraries, shippedPackages } from "./shipped.mjs";
import { sbom } from "./sbom.mjs";

const WITHOUT = new Set(["__pycache__", ".mypy_cache", ".ruff_cache"]);
const KERNEL_SOURCES = ["include", "src"];
const copied = (path) => !WITHOUT.has(basename(path));
/** The npm package is built into the same folder as the page; no page has an address in it. */
const ofThePage = (path) => path !== at("frontend/dist/package");

/** What the wheel needs at run time, and Zig's licence, as the environment of the repository has them. */
async function runtime() {
  const { code, output } = await run(inVenv("python"), [at("shared/tools/package/runtime.py")]);
  if (code !== 0) throw new Stop("The packages of the environment could not be read.", output);
  return JSON.parse(output);
}

/** Fills `folder`, with the libraries of `machines`; notices and SBOM also go to `out`. */
export async function stage(folder, machines, out) {
  for (const needed of ["shared/kernel/build/kernel.wasm", "frontend/dist/index.html"])
    if (!existsSync(at(needed))) throw new Stop(`${needed} is not built: npm run build`);
  for (const name of ["pyproject.toml", "hatch_build.py", "README.md"])
    copyFileSync(at("backend", name), join(folder, name));
  for (const name of ["LICENSE", "CHANGELOG.md"]) copyFileSync(at(name), join(folder, name));
  cpSync(at("backend/src"), join(folder, "src"), { recursive: true, filter: copied });
  const built = join(folder, "src/wavescope/built");
  cpSync(at("frontend/dist"), join(built, "page"), { recursive: true, filter: ofThePage });
  mkdirSync(join(built, "kernel"));
  copyFileSync(at("shared/kernel/build/kernel.wasm"), join(built, "kernel/kernel.wasm"));
  for (const name of KERNEL_SOURCES)
    cpSync(at("shared/kernel", name), join(folder, "kernel", name), { recursive: true });
  mkdirSync(join(folder, "native"));
  for (const machine of machines) buildLibrary(machine, join(folder, "native"));
  const { python, zig } = await runtime();
  const parts = { version: projectVersion(), page: shippedPackages(zig.license), built: builtLibraries(), python, zig };
  write(folder, out, "NOTICES.txt", `wavescope-${parts.version}-notices.txt`, notices(parts));
  const described = `${JSON.stringify(sbom(parts), null, 2)}\n`;
  write(folder, out, "wavescope.cdx.json", `wavescope-${parts.version}.cdx.json`, described);
}

function write(folder, out, inside, outside, text) {
  writeFileSync(join(folder, inside), text);
  writeFileSync(join(out, outside), text);
}
