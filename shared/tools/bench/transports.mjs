// What push, batches and single requests cost a reader on slow links (decision 0014): an opening by link and a walk, in real Chromium behind
// a link with rate and delay (backend/tests/links). The walk goes by half fields, three steps in a hurry and a fourth on which the eye rests;
// measured is the fourth: times to a useful picture and to full sharpness (frames.mjs). "auto": the page chooses.
//
// Arguments: SLIDE (else the shared one). WAVESCOPE_BENCH_FOLDER keeps the store and the times. WAVESCOPE_BENCH_LINKS: which of 1,10 (both).
// WAVESCOPE_BENCH_TRANSPORTS: which of get,batch,push,auto (all). WAVESCOPE_BENCH_STEPS: of a walk (40). WAVESCOPE_BENCH_RUNS: walks of each (2).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Stop, at, command, endChildren, inVenv, launch, run } from "../repository.mjs";
import { chromiumFile, median, slideFile, startService, table } from "./browser.mjs";
import { timesOf, watchFrames } from "./frames.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const LINKS = { 1: { rate: "1mbit", delay: "150ms" }, 10: { rate: "10mbit", delay: "50ms" } };
const CHOSEN = (process.env.WAVESCOPE_BENCH_LINKS ?? "1,10").split(",");
const TRANSPORTS = (process.env.WAVESCOPE_BENCH_TRANSPORTS ?? "get,batch,push,auto").split(",");
const STEPS = Number(process.env.WAVESCOPE_BENCH_STEPS ?? 40);
const RUNS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 2);
const SCREEN = { width: 1280, height: 800 };
const SLIDE = "bench";
const HURRY_MS = 400;
const RESTS = 4; // every fourth step

command(async (args) => {
  const slide = slideFile(args);
  const executablePath = chromiumFile(chromium);
  const given = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = given ?? mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    const size = await prepare(folder, slide);
    const service = await startService(join(folder, "store"));
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      for (const name of CHOSEN) await measure(browser, { service, size, folder, name });
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    if (!given) rmSync(folder, { recursive: true, force: true });
  }
});

/** The store, unless an earlier run left it. Gives the slide's size. */
async function prepare(folder, slide) {
  const store = join(folder, "store");
  if (!existsSync(join(folder, "bench.done"))) {
    const ingest = await run(inVenv("wavescope"), ["ingest", slide, "--id", SLIDE, "--store", store, "--json"]);
    if (ingest.code !== 0) throw new Stop(`${slide} could not be ingested.`, ingest.output);
    writeFileSync(join(folder, "bench.done"), "");
  }
  const info = await run(inVenv("wavescope"), ["info", SLIDE, "--json", "--store", store]);
  const { width, height } = JSON.parse(info.output);
  return { width, height };
}

/** A link to the service; gives its address and how many bytes came over it so far. */
async function startLink(service, { rate, delay }) {
  const child = launch(
    inVenv("python"),
    ["-m", "links.proxy", "--to", new URL(service).host, "--rate", rate, "--delay", delay],
    { cwd: at("backend/tests"), stdio: ["ignore", "pipe", "inherit"] },
  );
  const line = await new Promise((done) => createInterface({ input: child.stdout }).once("line", done));
  const { listen, control } = JSON.parse(line);
  const bytes = async () => (await (await fetch(`http://${control}/`)).json()).down_bytes;
  return { address: `http://${listen}`, bytes, end: () => child.kill() };
}

/** The transports take turns, so that what disturbs one disturbs the others. */
async function measure(browser, { service, size, folder, name }) {
  const file = join(folder, `transports-${name}.json`);
  const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  for (let i = 0; i < RUNS; i += 1) {
    for (const transport of TRANSPORTS) {
      const link = await startLink(service, LINKS[name]);
      try {
        (results[transport] ??= []).push(await walk(browser, { link, size, transport }));
      } finally {
        link.end();
      }
      writeFileSync(file, JSON.stringify(results));
    }
  }
  report(name, results);
}

const isFinished = () => {
  try {
    return window.__wavescope.fidelity() === "exact";
  } catch {
    return false;
  }
};
const isSharp = () => {
  try {
    return ["sharp", "exact"].includes(window.__wavescope.fidelity());
  } catch {
    return false;
  }
};

/** One browser that knows the page, not the slide. */
async function walk(browser, { link, size, transport }) {
  const context = await browser.newContext({ viewport: SCREEN });
  const page = await context.newPage();
  await page.addInitScript({ content: `window.benchIsSharp = ${isSharp};` });
  await page.addInitScript(watchFrames);
  await page.addInitScript((value) => localStorage.setItem("wavescope.transport", value), transport);
  await page.goto(`${link.address}/`);
  await page.waitForLoadState("networkidle");
  const place = placeOf(0, size);
  await page.goto(`${link.address}/slides/${SLIDE}#x=${place.l0_x}&y=${place.l0_y}&scale=1`, { waitUntil: "commit" });
  const open = await timesOf(page, isFinished);
  const before = await link.bytes();
  const rests = [];
  for (let step = 1; step <= STEPS; step += 1) {
    if (step % RESTS === 0) await page.evaluate(() => window.benchFrames.restart());
    await page.evaluate((next) => window.__wavescope.viewport.show(next, true), placeOf(step, size));
    if (step % RESTS === 0) rests.push(await timesOf(page, isFinished));
    else await page.waitForTimeout(HURRY_MS);
  }
  const pushed = (await page.evaluate(() => window.__wavescope.counters())).pushedBlocks;
  const bytes = (await link.bytes()) - before;
  await context.close();
  return { open, rests, bytes, pushed };
}

/** Half a field to the right or, at every eighth step, down; back and forth over the middle of the slide. */
function placeOf(step, { width, height }) {
  const [row, column] = [Math.floor(step / 8), step % 8];
  const along = row % 2 ? 7 - column : column;
  return {
    l0_x: Math.round(width * 0.35 + along * SCREEN.width * 0.5),
    l0_y: Math.round(height * 0.35 + row * SCREEN.height * 0.5),
    scale: 1,
  };
}

function report(name, results) {
  const used = TRANSPORTS.filter((transport) => results[transport]);
  const of = (transport, read) => median(results[transport].flatMap(read)).toFixed(0);
  const row = (title, read) => [title, ...used.map((transport) => of(transport, read))];
  const rows = [
    row("opening: useful picture", ({ open }) => open.useful),
    row("opening: full sharpness", ({ open }) => open.sharp),
    row("walk, rests: first picture", ({ rests }) => rests.map((times) => times.first)),
    row("walk, rests: useful picture", ({ rests }) => rests.map((times) => times.useful)),
    row("walk, rests: full sharpness", ({ rests }) => rests.map((times) => times.sharp)),
    row("walk, rests: last layer", ({ rests }) => rests.map((times) => times.all)),
    row("walk: kB over the link", ({ bytes }) => bytes / 1000),
    row("walk: blocks pushed", ({ pushed }) => pushed),
  ];
  const { rate, delay } = LINKS[name];
  const runs = results[used[0]].length;
  table(`${rate}, ${delay} each way; ${runs} walks of ${STEPS} steps each; medians, ms`, ["", ...used], rows);
}
