// How long a reader waits: opening a slide from a deep link, the next field, the next slide; beside OpenSeadragon on a DZI
// (JPEG, quality 90) of the same slide served by nginx. Real Chromium; loopback, then a link of 10 Mbit/s and 100 ms.
// "Full sharpness" is a view of the quality that the slide has at level 0 with all its layers, or better (frontend/core/src/tiles/sharpness.ts).
//
// Arguments: SLIDE (else the shared one). WAVESCOPE_BENCH_RUNS: repetitions on loopback (30); a fifth of them on the slow link.
// WAVESCOPE_BENCH_FOLDER keeps store, DZI and times from run to run. WAVESCOPE_BENCH_PARTS: which of loopback,slow,known (all).
// WAVESCOPE_BENCH_MORE=1: adds to the times that the folder keeps, so that a long measurement can be made in short pieces.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, command, endChildren } from "../repository.mjs";
import { VIEWER_NEEDS, chromiumFile, median, needPrograms, slideFile, startService, table } from "./browser.mjs";
import { timesOf, watchFrames } from "./frames.mjs";
import { startNginx } from "./nginx.mjs";
import { SLIDES, microscopePage, peerPage, prepare, stageSize } from "./pages.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const RUNS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 30);
const PARTS = (process.env.WAVESCOPE_BENCH_PARTS ?? "loopback,slow,known").split(",");
const MORE = process.env.WAVESCOPE_BENCH_MORE === "1";
const SLOW = { offline: false, latency: 100, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 };
const SCREEN = { width: 1920, height: 1080 };
const MOST = { open: 1500, field: 250, change: 1000 };

command(async (args) => {
  const slide = slideFile(args);
  await needPrograms("viewer", VIEWER_NEEDS);
  const executablePath = chromiumFile(chromium);
  const given = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = given ?? mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    const size = await prepare(folder, slide);
    const service = await startService(join(folder, "store"));
    const peer = await startNginx(folder);
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      await measure(browser, { service, peer, size, folder });
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    if (!given) rmSync(folder, { recursive: true, force: true });
  }
});

async function measure(browser, at_) {
  const stage = await stageSize(browser, at_.service, SCREEN);
  const pages = { wavescope: microscopePage(at_.service), dzi: peerPage(at_.peer, stage) };
  console.log(
    `Canvas of ${stage.width} x ${stage.height} device pixels; slide of ${at_.size.width} x ${at_.size.height}. Medians, in ms.`,
  );
  for (const part of PARTS) {
    const runs = part === "loopback" ? RUNS : Math.max(3, Math.round(RUNS / 5));
    const times = await rounds(browser, pages, at_.size, stage, runs, part, join(at_.folder, `viewer-${part}.json`));
    const { title, targetOf } = WANTED[part];
    report(title(times.wavescope.length), times, targetOf);
  }
}

const SOONER = () => ({ ratio: 0.7, of: ["useful", "sharp"] });
const WANTED = {
  loopback: {
    title: (runs) => `Loopback, ${runs} runs, everything new to the browser`,
    targetOf: (what) => ({ most: MOST[what], ratio: 1.2, of: ["sharp"] }),
  },
  slow: { title: (runs) => `10 Mbit/s and 100 ms, ${runs} runs, everything new to the browser`, targetOf: SOONER },
  known: {
    title: (runs) => `10 Mbit/s and 100 ms, ${runs} runs, page known to the browser, slide new`,
    targetOf: SOONER,
  },
};

/** Every run in a browser context of its own, the two pages in turn: what disturbs one disturbs the other. `file`: where times are stored. */
async function rounds(browser, pages, size, stage, runs, part, file) {
  const results = MORE && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { wavescope: [], dzi: [] };
  for (let i = results.dzi.length, end = i + runs; i < end; i += 1) {
    for (const name of i % 2 ? ["dzi", "wavescope"] : ["wavescope", "dzi"]) {
      results[name].push(
        await round(browser, pages[name], placeOf(i, size), stage, part === "loopback" ? null : SLOW, part === "known"),
      );
    }
    writeFileSync(file, JSON.stringify(results));
  }
  return results;
}

/** Fields in the tissue's middle, each run's elsewhere; at 1:1. */
function placeOf(i, { width, height }) {
  return {
    x: Math.round(width * (0.3 + 0.06 * (i % 6))),
    y: Math.round(height * (0.35 + 0.06 * (Math.floor(i / 6) % 6))),
    scale: 1,
  };
}

async function round(browser, { shell, open, show, change, sharp, finished }, place, stage, link, warm) {
  const context = await browser.newContext({ viewport: SCREEN });
  const page = await context.newPage();
  await page.addInitScript({ content: `window.benchIsSharp = ${sharp};` });
  await page.addInitScript(watchFrames);
  await page.addInitScript((slide) => (window.benchWanted = slide), SLIDES[0]);
  if (warm) {
    await page.goto(shell);
    await page.waitForLoadState("networkidle");
  }
  if (link) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", link);
  }
  await page.goto(open(place), { waitUntil: "commit" });
  const times = { open: await timesOf(page, finished) };
  const next = { ...place, x: place.x + stage.width };
  await page.evaluate(() => window.benchFrames.restart());
  await page.evaluate(show, next);
  times.field = await timesOf(page, finished);
  await page.evaluate((slide) => {
    window.benchWanted = slide;
    window.benchFrames.restart();
  }, SLIDES[1]);
  await page.evaluate(change, SLIDES[1]);
  await page.waitForFunction(finished, null, { polling: 20 });
  times.change = await timesOf(page, finished);
  await context.close();
  return times;
}

const PARTS_OF = { first: "first picture", useful: "useful picture", sharp: "full sharpness", all: "last layer" };
const WORDS = { open: "open from a link", field: "next field", change: "change of slide" };

function report(title, { wavescope, dzi }, targetOf) {
  const rows = [];
  for (const what of ["open", "field", "change"]) {
    for (const part of ["first", "useful", "sharp", "all"]) {
      const [own, other] = [wavescope, dzi].map((runs) => median(runs.map((times) => times[what][part])));
      const { most, ratio, of } = targetOf(what);
      const good = own / other <= ratio && (most === undefined || own < most);
      const wanted = of.includes(part) ? `${most ? `< ${most}, ` : ""}<= ${ratio} x: ${good ? "met" : "MISSED"}` : "";
      rows.push([
        `${WORDS[what]}: ${PARTS_OF[part]}`,
        own.toFixed(0),
        other.toFixed(0),
        (own / other).toFixed(2),
        wanted,
      ]);
    }
  }
  table(title, ["", "Wavescope", "DZI, nginx", "ratio", "target"], rows);
  const likeness = ["open", "field", "change"].map(
    (what) => `${WORDS[what]} ${median(wavescope.map((times) => times[what].likeness)).toFixed(1)}`,
  );
  console.log(`  PSNR of our sharp picture to the last one, in dB: ${likeness.join(", ")}.`);
}
