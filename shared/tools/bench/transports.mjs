// What a reader waits for on slow links: single requests, batches, push and the page's own choice ("auto") beside OpenSeadragon on a DZI by
// nginx (decision 0014), in real Chromium behind a link with rate and delay (backend/tests/links). Measured are an opening by a link to
// a field at 1:1, with everything new to the browser and with a known page (also without its service worker); the next field; a walk by half
// fields, three steps in a hurry and a fourth on which the eye rests; a change of slide. Times to a useful picture and to full sharpness as in
// the bench viewer (frames.mjs).
//
// Arguments: SLIDE (else the shared one). WAVESCOPE_BENCH_FOLDER keeps the store and the times. WAVESCOPE_BENCH_LINKS: which of 1,10 (both).
// WAVESCOPE_BENCH_TRANSPORTS: which of get,batch,push,auto,dzi (all). WAVESCOPE_BENCH_STEPS: of a walk (40). WAVESCOPE_BENCH_RUNS: of each (2).
// WAVESCOPE_BENCH_HTTP2=1: all of it over HTTP/2, which nginx speaks in front of the service.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, command, endChildren } from "../repository.mjs";
import { VIEWER_NEEDS, chromiumFile, needPrograms, slideFile, startService } from "./browser.mjs";
import { timesOf, watchFrames } from "./frames.mjs";
import { FAST, startLink } from "./link.mjs";
import { startHttp2, startNginx } from "./nginx.mjs";
import { SLIDES, microscopePage, peerPage, prepare, stageSize } from "./pages.mjs";
import { report } from "./transportsReport.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const LINKS = { 1: { rate: "1mbit", delay: "150ms" }, 10: { rate: "10mbit", delay: "50ms" } };
const CHOSEN = (process.env.WAVESCOPE_BENCH_LINKS ?? "1,10").split(",");
const TRANSPORTS = (process.env.WAVESCOPE_BENCH_TRANSPORTS ?? "get,batch,push,auto,dzi").split(",");
const STEPS = Number(process.env.WAVESCOPE_BENCH_STEPS ?? 40);
const RUNS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 2);
const HTTP2 = process.env.WAVESCOPE_BENCH_HTTP2 === "1";
const SCREEN = { width: 1280, height: 800 };
const HURRY_MS = 400;
const RESTS = 4; // every fourth step

command(async (args) => {
  const slide = slideFile(args);
  await needPrograms("transports", VIEWER_NEEDS);
  const executablePath = chromiumFile(chromium);
  const given = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = given ?? mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    const size = await prepare(folder, slide);
    const origin = await startService(join(folder, "store"));
    const { service, peer } = HTTP2
      ? await startHttp2(folder, origin)
      : { service: origin, peer: await startNginx(folder) };
    const trust = HTTP2 ? ["--ignore-certificate-errors"] : []; // that of the bench is signed by nobody
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...trust] });
    try {
      const canvas = await stageSize(browser, service, SCREEN);
      for (const name of CHOSEN) await measure(browser, { service, peer, size, canvas, folder, name });
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    if (!given) rmSync(folder, { recursive: true, force: true });
  }
});

/** The transports take turns, so that what disturbs one disturbs the others. */
async function measure(browser, { service, peer, size, canvas, folder, name }) {
  const file = join(folder, `transports-${name}${HTTP2 ? "-http2" : ""}.json`);
  const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  for (let i = 0; i < RUNS; i += 1) {
    for (const transport of TRANSPORTS) {
      const link = await startLink(transport === "dzi" ? peer : service);
      const pages = transport === "dzi" ? peerPage(link.address, canvas) : microscopePage(link.address);
      const measured = { pages, link, shape: LINKS[name], size, transport };
      try {
        (results[transport] ??= []).push({
          fresh: await opening(browser, { ...measured, known: false }),
          bare: transport === "auto" ? await opening(browser, { ...measured, known: true, worker: "block" }) : null,
          ...(await visit(browser, measured)),
        });
      } finally {
        link.end();
      }
      writeFileSync(file, JSON.stringify(results));
    }
  }
  report(LINKS[name], STEPS, results);
}

/** A page in a browser of its own that opens a field by its link; `known`: the page was here before, not the slide. */
async function opened(browser, { pages, link, shape, size, transport, known, worker = "allow" }) {
  const context = await browser.newContext({ viewport: SCREEN, serviceWorkers: worker });
  const page = await context.newPage();
  await page.addInitScript({ content: `window.benchIsSharp = ${pages.sharp};` });
  await page.addInitScript(watchFrames);
  await page.addInitScript(
    ([slide, value]) => {
      window.benchWanted = slide;
      if (location.protocol.startsWith("http")) localStorage.setItem("wavescope.transport", value);
    },
    [SLIDES[0], transport],
  );
  if (known) {
    await link.reshape(FAST);
    await page.goto(pages.shell);
    await page.waitForLoadState("networkidle");
    if (transport !== "dzi" && worker === "allow") await page.evaluate(() => navigator.serviceWorker.ready);
    await page.goto("about:blank");
  }
  await link.reshape(shape);
  await page.goto(pages.open(placeOf(0, size)), { waitUntil: "commit" });
  const open = await timesOf(page, pages.finished);
  return { context, page, open: { ...open, bytes: await link.bytes() } };
}

async function opening(browser, measured) {
  const { context, open } = await opened(browser, measured);
  await context.close();
  return open;
}

/** One browser that knows the page: opening, next field, walk, change of slide. */
async function visit(browser, measured) {
  const { pages, link, size } = measured;
  const { context, page, open } = await opened(browser, { ...measured, known: true });
  const shown = async (place) => {
    await page.evaluate(() => window.benchFrames.restart());
    await page.evaluate(pages.show, place);
    return timesOf(page, pages.finished);
  };
  const begin = placeOf(0, size);
  const field = await shown({ ...begin, y: begin.y - SCREEN.height }); // away from the walk
  const before = await link.bytes();
  const rests = [];
  for (let step = 1; step <= STEPS; step += 1) {
    if (step % RESTS === 0) rests.push(await shown(placeOf(step, size)));
    else {
      await page.evaluate(pages.show, placeOf(step, size));
      await page.waitForTimeout(HURRY_MS);
    }
  }
  const bytes = (await link.bytes()) - before;
  const pushed =
    measured.transport === "dzi" ? 0 : await page.evaluate(() => window.__wavescope.counters().pushedBlocks);
  await page.evaluate((slide) => {
    window.benchWanted = slide;
    window.benchFrames.restart();
  }, SLIDES[1]);
  await page.evaluate(pages.change, SLIDES[1]);
  await page.waitForFunction(pages.finished, null, { polling: 20, timeout: 120_000 });
  const change = await timesOf(page, pages.finished);
  await context.close();
  return { open, field, rests, change, bytes, pushed };
}

/** Half a field to the right or, at every eighth step, down; back and forth over the middle of the slide. */
function placeOf(step, { width, height }) {
  const [row, column] = [Math.floor(step / 8), step % 8];
  const along = row % 2 ? 7 - column : column;
  return {
    x: Math.round(width * 0.35 + along * SCREEN.width * 0.5),
    y: Math.round(height * 0.35 + row * SCREEN.height * 0.5),
    scale: 1,
  };
}
