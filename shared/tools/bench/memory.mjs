// A long day at the microscope: the view pans by itself for WAVESCOPE_BENCH_MINUTES (30), over all levels. Memory at the end beside
// that after 3 minutes (a tenth of the time, if that is less), decoded data, workers and bitmaps.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, endChildren, inVenv, run } from "../repository.mjs";
import { chromiumFile, slideFile, startService, table } from "./browser.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const MINUTES = Number(process.env.WAVESCOPE_BENCH_MINUTES ?? 30);
const EARLY = Math.min(3, MINUTES / 10);
const MIB = 2 ** 20;

command(async (args) => {
  const slide = slideFile(args);
  const executablePath = chromiumFile(chromium);
  const given = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = given ?? mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    if (!existsSync(join(folder, "memory.done"))) {
      const ingest = await run(inVenv("wavescope"), [
        "ingest",
        slide,
        "--id",
        "bench",
        "--store",
        join(folder, "store"),
        "--json",
      ]);
      if (ingest.code !== 0) throw new Stop("The slide could not be ingested.", ingest.output);
      writeFileSync(join(folder, "memory.done"), "");
    }
    const service = await startService(join(folder, "store"));
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
    });
    try {
      return await walk(await browser.newPage({ viewport: { width: 1920, height: 1080 } }), service);
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    if (!given) rmSync(folder, { recursive: true, force: true });
  }
});

async function walk(page, service) {
  await page.goto(`${service}/slides/bench#x=6000&y=5000&scale=1`);
  await page.waitForFunction(() => window.__wavescope?.page === "slide");
  await page.locator("[data-ready=true]").waitFor();
  await page.evaluate(pan, EARLY * 60_000);
  const early = await weigh(page);
  await page.evaluate(pan, (MINUTES - EARLY) * 60_000);
  const late = await weigh(page);
  const rows = Object.keys(early).map((name) => {
    const unit = name === "workers" || name === "osdTiles" ? 1 : MIB;
    return [
      name,
      (early[name] / unit).toFixed(unit === 1 ? 0 : 1),
      (late[name] / unit).toFixed(unit === 1 ? 0 : 1),
      (late[name] / early[name]).toFixed(2),
    ];
  });
  table(
    `Memory in MiB after ${EARLY} and ${MINUTES} minutes of panning`,
    ["", `${EARLY} min`, `${MINUTES} min`, "ratio"],
    rows,
  );
  const good = late.total <= 1.1 * early.total && late.decoded <= 512 * MIB && late.workers === early.workers;
  console.log(`  at most 1.1 x, at most 512 MiB decoded, no worker more: ${good ? "met" : "MISSED"}`);
  return good ? 0 : 1;
}

/** Pans for so long, in sweeps over the slide at changing magnifications, as smoothly as a hand. Runs in the page. */
async function pan(milliseconds) {
  const { viewport, slide } = window.__wavescope;
  const { width, height } = slide();
  const end = performance.now() + milliseconds;
  const scales = [1, 0.5, 1, 0.25, 1, 2];
  for (let leg = 0; performance.now() < end; leg += 1) {
    const scale = scales[leg % scales.length];
    const y = height * (0.15 + 0.7 * ((leg * 0.38196601) % 1));
    for (let step = 0; step <= 300 && performance.now() < end; step += 1) {
      const part = 0.1 + (0.8 * step) / 300;
      viewport.show({ l0_x: width * (leg % 2 ? 1 - part : part), l0_y: y, scale }, true);
      await new Promise(requestAnimationFrame);
    }
    const rest = performance.now() + 400;
    while (performance.now() < rest) await new Promise(requestAnimationFrame);
  }
  viewport.show({ l0_x: width / 2, l0_y: height / 2, scale: 1 }, true); // the same field each time it is weighed
  await window.__wavescope.idle();
}

/** Page and workers after a collection of garbage. */
async function weigh(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const own = await page.evaluate(() => window.__wavescope.memory());
  const heap = usedSize + embedderHeapUsedSize + backingStorageSize;
  const decoded = own.decodedBytes + own.bitmapBytes;
  return {
    total: heap + own.wasmBytes + decoded,
    heap,
    "of it blocks": own.compressedBytes,
    decoded,
    bitmaps: own.bitmapBytes,
    wasm: own.wasmBytes,
    workers: own.workers,
    osdTiles: own.osdTiles,
  };
}
