// npm run package -- --try: the wheel alone, in an empty environment, as a user has it: no checkout, no Node and no compiler on the path.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, at, root, run } from "../repository.mjs";

const MAX_BYTES = 400e6;
const SECONDS = 300;
const FIRST_PICTURE_SECONDS = 30;
/** What reaches a registry, or a proxy in front of it. */
const NETWORK = /^(PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|\w+_proxy)$/i;

const REAL = ["CMU-1.svs", "CMU-1-Small-Region.svs"];

/** A real slide where there is one, else a picture of the repository. */
function anySlide() {
  const data = process.env.WAVESCOPE_TEST_DATA ?? resolve(root, "../shared/data");
  return REAL.map((name) => join(data, name)).find(existsSync) ?? at("shared/pictures/microscope.jpg");
}

const bytes = (path) =>
  lstatSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytes(join(path, name)), 0)
    : lstatSync(path).size;

function expect(fact, what, details = "") {
  if (!fact) throw new Stop(`The wheel does not work: ${what}`, details);
}

/** Prints sizes and times; a Stop says what does not work. `out` has the wheels; `busy`: no bound of time counts. */
export async function tryWheel({ out, python, version, busy, slide = anySlide() }) {
  const home = mkdtempSync(join(tmpdir(), "wavescope-try-"));
  try {
    const venv = join(home, "venv");
    const env = environment(home, venv);
    const made = await run(python, ["-m", "venv", venv]);
    expect(made.code === 0, `${python} makes no environment`, made.output);
    const found = await run(join(venv, "bin/python"), ["-VV"], { cwd: home, env });
    console.log(`\n${found.output.trim().split("\n")[0]}`);
    const begin = Date.now();
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
    const wheels = ["--find-links", out, `wavescope==${version}`];
    const installed = await run(join(venv, "bin/python"), [...pip, ...wheels], { cwd: home, env });
    expect(installed.code === 0, "it cannot be installed", installed.output);
    const size = bytes(venv);
    console.log(
      `  installed in ${seconds(begin)}: ${(size / 1e6).toFixed(0)} MB with pip, at most ${MAX_BYTES / 1e6} MB`,
    );
    expect(size <= MAX_BYTES, `it takes ${size} bytes`);
    for (const name of ["node", "cc", "gcc", "clang", "zig"])
      expect(!env.PATH.split(":").some((folder) => existsSync(join(folder, name))), `${name} is on the path`);
    console.log(`  ${basename(slide)}, ${(bytes(slide) / 1e6).toFixed(1)} MB`);
    await openTwice({ home, env, wavescope: join(venv, "bin/wavescope"), slide, busy });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function environment(home, venv) {
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  return {
    ...Object.fromEntries(network),
    PATH: join(venv, "bin"),
    HOME: home,
    XDG_DATA_HOME: join(home, "data"),
    LANG: "C.UTF-8",
  };
}

const seconds = (begin) => `${((Date.now() - begin) / 1000).toFixed(1)} s`;

/** The processor time of a process without those that it has started, where the system says so. */
function worked(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return "unknown time";
  const fields = readFileSync(file, "utf8").split(") ").at(-1).split(" ");
  return `${((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1)} s`;
}

async function openTwice(tried) {
  await opened(tried, async (address, begin, pid) => {
    expect(/\/incoming\/\w+$/.test(address), `it opens ${address}, not an import`);
    const { origin } = new URL(address);
    const preview = await fetched(`${origin}/api/v1/jobs/${address.split("/").at(-1)}/preview/thumbnail`, "image/");
    const waited = seconds(begin);
    console.log(
      `  first picture (${preview.length} bytes, from the file) ${waited} after the command, ${worked(pid)} of processor`,
    );
    expect(tried.busy || parseFloat(waited) <= FIRST_PICTURE_SECONDS, `the first picture takes ${waited}`);
    await fetched(address, "text/html");
    const stored = await firstSlide(origin);
    await fetched(`${origin}/api/v1/slides/${stored}/thumbnail?max=256`, "image/");
    console.log(`  imported, and the slide's thumbnail fetched, after ${seconds(begin)}`);
    await fetched(`${origin}/api/v1/kernel.wasm`, "application/wasm");
  });
  await opened(tried, async (address, begin) => {
    expect(/\/slides\/[^/]+$/.test(address), `opened again, it shows ${address}`);
    await fetched(`${address.replace("/slides/", "/api/v1/slides/")}/thumbnail?max=256`, "image/");
    console.log(`  opened again: the slide's thumbnail ${seconds(begin)} after the command`);
  });
}

/** Does `work` with the address that the command prints; then Ctrl-C must end it with 0. */
async function opened(tried, work) {
  const running = start(tried);
  try {
    await work(await running.address(), running.begin, running.pid);
  } catch (cause) {
    await running.stop();
    throw cause instanceof Stop ? cause : new Stop(`The wheel does not work: ${cause}`, running.said());
  }
  expect((await running.stop()) === 0, "Ctrl-C does not end it with 0", running.said());
}

/** A `wavescope open` without a browser. */
function start({ home, env, wavescope, slide }) {
  const begin = Date.now();
  const child = spawn(wavescope, ["open", slide, "--no-browser", "--port", "0"], { cwd: home, env });
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (said += chunk));
  const ended = new Promise((done) => child.once("close", (code) => done(code)));
  return {
    begin,
    pid: child.pid,
    said: () => said,
    async address() {
      while (!out.includes("\n")) {
        expect(child.exitCode === null && Date.now() - begin < SECONDS * 1000, "it prints no address", said);
        await sleep(50);
      }
      return out.split("\n")[0];
    },
    async stop() {
      child.kill("SIGINT");
      const late = setTimeout(() => child.kill("SIGKILL"), 30_000);
      const code = await ended;
      clearTimeout(late);
      return code;
    },
  };
}

async function fetched(url, type) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(SECONDS * 1000) });
  expect(answer.ok && answer.headers.get("content-type").startsWith(type), `${url} answers ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** The id of the slide, as soon as the list has one. */
async function firstSlide(origin) {
  const end = Date.now() + SECONDS * 1000;
  while (Date.now() < end) {
    const { slides } = JSON.parse(await fetched(`${origin}/api/v1/slides`, "application/json"));
    if (slides.length) return slides[0].id;
    await sleep(200);
  }
  throw new Stop("The wheel does not work: the slide is not imported.");
}
