// Makes everything the other commands need, and only what is missing: the Python environment, the kernel, the page, the
// browser tests. Each step leaves a stamp with the hash of what it was made from.
import "./node-version.mjs";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Stop, at, command, contentHash, inVenv, npm, once, root, run, venv, windows } from "./repository.mjs";
import { codeOf } from "./wire/code.mjs";
import { readContracts } from "./wire/schemas.mjs";

const INSTALLER = "backend/installer.lock";
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|NewConnectionError|name resolution|ConnectTimeout|No matching distribution found|error sending request|dns error/;
const PYTHONS = windows
  ? [["py", "-3"], ["python"]]
  : ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"].map((p) => [p]);

/** Says what is being done, does it, and says how long it took. */
async function step(what, work) {
  const begin = Date.now();
  console.log(`- ${what} ...`);
  await work();
  console.log(`  done in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

function expect({ code, output }, what) {
  if (code === 0) return;
  if (NO_NETWORK.test(output))
    throw new Stop(
      `${what}: the packages could not be downloaded. Is there a network connection?`,
      output.slice(-2000),
    );
  const [head, tail] = [output.slice(0, 3000), output.slice(3000).slice(-3000)];
  throw new Stop(`${what} failed.`, head + (output.length > 6000 ? "\n...\n" : "") + tail);
}

/** The command of a Python >= 3.11, or a Stop that names what was found instead. */
async function findPython() {
  const given = process.env.WAVESCOPE_PYTHON;
  const found = [];
  for (const [name, ...args] of given ? [[given]] : PYTHONS) {
    const answer = await run(name, [...args, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"], {
      cwd: root,
    });
    if (answer.code !== 0) continue;
    const [major, minor] = answer.output.trim().split(".").map(Number);
    if (major === 3 && minor >= 11) return [name, ...args];
    found.push(`${name} is ${answer.output.trim()}`);
  }
  throw new Stop(
    `Wavescope needs Python 3.11 or newer; ${found.length ? found.join(", ") : "no Python was found"}. Set WAVESCOPE_PYTHON to the one to use.`,
  );
}

async function makeEnvironment() {
  const [name, ...args] = await findPython();
  if (existsSync(venv)) rmSync(venv, { recursive: true });
  const made = await run(name, [...args, "-m", "venv", venv]);
  if (made.code === 0) return;
  rmSync(venv, { recursive: true, force: true });
  const debian = /ensurepip/.test(made.output) ? " On Debian and Ubuntu: apt install python3-venv." : "";
  throw new Stop(`A Python environment could not be made.${debian}`, made.output);
}

/** Installs into the environment of `python` what the arguments of `pip install` name. uv, the installer of .venv, takes a seventh of pip's time. */
export const install = async (python, ...args) => {
  const index = await run(inVenv("python"), ["-m", "pip", "config", "get", "global.index-url"]);
  const env = { ...process.env, ...(index.code === 0 && { UV_DEFAULT_INDEX: index.output.trim() }) };
  return run(inVenv("uv"), ["pip", "install", "--quiet", "--python", python, ...args], { env });
};

/** .venv with everything of backend/requirements.lock and wavescope itself. */
export async function environment() {
  const works = (await run(inVenv("python"), ["-c", "import sys; assert sys.version_info >= (3, 11)"])).code === 0;
  const hash = contentHash([INSTALLER, "backend/requirements.lock", "backend/pyproject.toml"]);
  if (!works) await step("making a Python environment in .venv", makeEnvironment);
  await once(".venv/wavescope-stamp", hash, () =>
    step("installing the Python packages (about 300 MB on the first run)", async () => {
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
      expect(await run(inVenv("python"), [...pip, "--require-hashes", "-r", INSTALLER]), "Installing uv");
      const into = (...args) => install(inVenv("python"), ...args);
      expect(await into("--require-hashes", "-r", "backend/requirements.lock"), "Installing the Python packages");
      expect(await into("--no-deps", "--no-build-isolation", "-e", "backend"), "Installing wavescope itself");
    }),
  );
}

/** shared/kernel/build/kernel.wasm; needs the Python environment, which holds the compiler. */
export async function kernel() {
  const hash = contentHash(["shared/kernel/include", "shared/kernel/src", "shared/tools/build-kernel.mjs"]);
  const stamp = "shared/kernel/build/wavescope-stamp";
  if (!existsSync(at("shared/kernel/build/kernel.wasm"))) rmSync(at(stamp), { force: true });
  await once(stamp, hash, () =>
    step("building the kernel", async () => {
      const env = { ...process.env, WAVESCOPE_PYTHON: inVenv("python") }; // the compiler is one of its packages
      expect(await run(process.execPath, ["shared/tools/build-kernel.mjs"], { env }), "Building the kernel");
    }),
  );
}

/** node_modules of a folder, as its lock says. */
export async function packages(folder) {
  const hash = contentHash([`${folder}/package.json`, `${folder}/package-lock.json`], process.version);
  await once(`${folder}/node_modules/.wavescope-packages`, hash, () =>
    step(`installing the packages of ${folder}`, async () => {
      expect(await npm(folder, ["ci", "--no-audit", "--no-fund"]), `Installing the packages of ${folder}`);
    }),
  );
}

/** What the page has of the contract: types, validators, operations; needs the packages of the page. */
export async function wireCode() {
  const folder = "frontend/core/src/wire/generated";
  const hash = contentHash(["shared/wire", "shared/tools/wire", "frontend/package-lock.json"]);
  const stamp = `${folder}/.wavescope-stamp`;
  if (!existsSync(at(folder, "types.ts"))) rmSync(at(stamp), { force: true });
  await once(stamp, hash, () =>
    step("generating the page's types and validators", async () => {
      const read = (name) => JSON.parse(readFileSync(at("shared/wire", name), "utf8"));
      const files = await codeOf(readContracts(read("openapi.json"), read("session.schema.json")));
      mkdirSync(at(folder), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(at(folder, name), text);
    }),
  );
}

/** frontend/dist; needs the kernel, the packages and the generated code. */
export async function page() {
  const made = ["core", "viewer", "app", "embed", "bundling", "package.json", "tsconfig.json", "package-lock.json"];
  const hash = contentHash([...made.map((name) => `frontend/${name}`), "shared/kernel/build/kernel.wasm"]);
  const stamp = "frontend/node_modules/.wavescope-page";
  if (!existsSync(at("frontend/dist/index.html"))) rmSync(at(stamp), { force: true });
  await once(stamp, hash, () =>
    step("building the page", async () => expect(await npm("frontend", ["run", "build"]), "Building the page")),
  );
}

/** The Chromium of this machine, if there is one; otherwise undefined and Playwright's own is used. */
export const systemChromium = () =>
  [process.env.PLAYWRIGHT_CHROMIUM, "/usr/bin/chromium"].find((path) => path && existsSync(path));

/** What the browser tests need beside the service: their packages and a Chromium. */
export async function browser() {
  await packages("e2e");
  if (systemChromium()) return;
  await once("e2e/node_modules/.wavescope-chromium", contentHash(["e2e/package-lock.json"]), () =>
    step("downloading Chromium for the browser tests", async () => {
      expect(await npm("e2e", ["exec", "--", "playwright", "install", "chromium"]), "Downloading Chromium");
    }),
  );
}

/** Waits for all of them, and fails with the first that failed. */
async function all(...works) {
  const settled = await Promise.allSettled(works);
  for (const { reason } of settled) if (reason) throw reason;
}

/** Everything that serving needs. The package managers work at the same time: they wait for different servers. */
export async function service() {
  await all(environment().then(kernel), packages("frontend").then(wireCode));
  await page();
}

/** Everything that the tests need. */
export const everything = () => all(service(), browser());

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  command(async () => {
    await everything();
    console.log("Everything is set up.");
  });
}
