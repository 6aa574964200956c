// npm run bench -- overlays [--cells N] [--json] [--viewer] [--canvas] [--peer N]: bytes and times of an overlay's file (backend/bench/overlays.py), then the viewer over N
// cells (1,000,000) in a Chromium without a graphics card: first cells, frames of a moving view, memory, bytes of a view, against their limits. --viewer: that
// alone. --canvas: without WebGL, which the page does not choose there. --peer, with --viewer: instead, beside deck.gl with the first N of the same cells, by turns (deck.mjs).
//
// The cells are the same, over an empty slide, so that what is measured is of the overlay. Drawn by the processor, as the page does here, and by WebGL
// of the processor. Memory is that of a page of its own which goes the same way, once without the overlay and once with it.
// WAVESCOPE_BENCH_FOLDER keeps slide and overlay from run to run: with a million cells they take minutes.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, endChildren, inVenv, run } from "../repository.mjs";
import { chromiumFile, median, startService, table } from "./browser.mjs";
import { deckScript, deckService } from "./deck.mjs";
import { tracedFrames } from "./mainThread.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const LIMITS = { first: 300, pan: 4, frame: 33, memory: 150, bytes: 300 }; // ms, ms, ms, MB, kB
const SCALES = [2, 1, 0.6, 0.4, 0.2, 0.1, 0.05, 0.03];
const JUMPS = { canvas: 12, webgl: 2 }; // WebGL of the processor takes seconds
const FRAMES = 120;
const AREA = 1200; // pixels of the slide for each cell, as backend/bench/overlays.py has it
const TURNS = 2;
const STEP = 24; // pixels of the screen from frame to frame: a quick drag

command(async (args) => {
  const given = (name, otherwise) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise);
  const [cells, ofPeer] = [given("--cells", 1_000_000), given("--peer", 0)];
  const file = args.filter((arg, i) => !["--viewer", "--canvas", "--peer"].includes(arg) && args[i - 1] !== "--peer");
  if (!args.includes("--viewer")) {
    const { code } = await run(inVenv("python"), [at("backend/bench/overlays.py"), ...file], { stdio: "inherit" });
    if (code !== 0) return code;
  }
  const kept = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = kept ? join(kept, String(cells)) : mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    await prepare(folder, cells);
    const address = await startService(join(folder, "store"));
    if (ofPeer > 0) return await besidePeer(address, folder, cells, ofPeer);
    return await viewer(address, cells, args.includes("--canvas") ? ["canvas"] : ["canvas", "webgl"]);
  } finally {
    endChildren();
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
});

/** The slide and its overlay in a store, unless an earlier run left them. */
async function prepare(folder, cells) {
  if (existsSync(join(folder, "done"))) return;
  const store = ["--store", join(folder, "store")];
  const steps = [
    ["python", at("backend/bench/overlay_slide.py"), String(cells), folder],
    ["wavescope", "ingest", join(folder, "slide.tiff"), "--id", "cells", ...store],
    ["wavescope", "overlay", "add", "cells", join(folder, "cells.geojson"), "--score", "Probability", ...store],
  ];
  for (const [program, ...rest] of steps) {
    const { code, output } = await run(inVenv(program), rest);
    if (code !== 0) throw new Stop(`${program} ${rest[0]} did not work.`, output);
  }
  for (const name of ["slide.tiff", "cells.geojson"]) rmSync(join(folder, name));
  writeFileSync(join(folder, "done"), "");
}

const launched = () =>
  chromium.launch({
    executablePath: chromiumFile(chromium),
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--enable-precise-memory-info"],
  });

async function viewer(address, cells, painters) {
  const missed = [];
  const limit = (name, value, most) => value > most && missed.push(`${name}: ${value.toFixed(1)} (${most})`);
  const browser = await launched();
  try {
    const without = await withPage(browser, address, false, (page) => memoryOf(page, browser));
    const shown = await withPage(browser, address, true, (page) => memoryOf(page, browser));
    table(
      "Memory of a page that went the same way, MB",
      ["", "without", "shown", "more"],
      Object.keys(shown).map((name) => [
        name,
        ...[without[name], shown[name], shown[name] - without[name]].map(rounded),
      ]),
    );
    limit("MB of the page more than without", shown.renderer - without.renderer, LIMITS.memory);
    await withPage(browser, address, true, async (page) => {
      const bytes = await page.evaluate(views, SCALES);
      for (const [scale, kB] of bytes) limit(`kB of a view at ${scale}`, kB, LIMITS.bytes);
      table(
        `Bytes of views of ${cells.toLocaleString("en")} cells at ${SCALES.join(", ")}: kB, detail`,
        ["scale", "kB", "detail"],
        bytes.map(([scale, kB, detail]) => [String(scale), rounded(kB), detail]),
      );
      await times(browser, page, painters, limit);
    });
  } finally {
    await browser.close();
  }
  for (const one of missed) console.error(`Above its limit: ${one}.`);
  return missed.length > 0 ? 1 : 0;
}

/** First cells and memory of the page and of deck.gl with some of the cells, by turns: a browser of its own each time. */
async function besidePeer(address, folder, cells, some) {
  const file = join(folder, `corners-${some}`);
  if (!existsSync(file)) {
    const { code, output } = await run(
      inVenv("python"),
      [at("backend/bench/overlay_slide.py"), cells, file, some].map(String),
    );
    if (code !== 0) throw new Stop("The corners could not be written.", output);
  }
  const side = Math.floor(Math.sqrt(cells * AREA));
  const peer = await deckService(await deckScript(folder), file);
  const rows = [];
  try {
    for (let turn = 1; turn <= TURNS; turn += 1) {
      rows.push([`wavescope, ${cells.toLocaleString("en")} cells`, ...(await ownTurn(address))]);
      rows.push([`deck.gl, ${some.toLocaleString("en")} cells`, ...(await peerTurn(peer.address, side))]);
    }
  } finally {
    peer.end();
  }
  table(
    "Beside deck.gl, by turns: ms from the address to cells, to those of another field (at 1, 0.3), MB of the page and of its graphics process",
    ["", "opened", "field 1", "field 0.3", "page", "graphics"],
    rows.map(([name, ...figures]) => [name, ...figures.map(rounded)]),
  );
  return 0;
}

async function ownTurn(address) {
  const browser = await launched();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
    await page.addInitScript(meter);
    const begin = performance.now();
    await page.goto(`${address}/slides/cells`);
    await page.waitForFunction(() => window.overlay().settled && window.overlay().visible, null, { timeout: 60_000 });
    const opened = performance.now() - begin;
    const fields = [];
    for (const scale of [1, 0.3]) fields.push(median(await page.evaluate(jump, { scale, jumps: 5, salt: 0.37 })));
    return [opened, ...fields, ...(await processes(browser))];
  } finally {
    await browser.close();
  }
}

async function peerTurn(address, side) {
  const browser = await launched();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
    page.setDefaultTimeout(0); // a frame of all cells takes seconds without a graphics card
    const begin = performance.now();
    await page.goto(address);
    await page.waitForFunction(() => window.benchDeck);
    await page.evaluate((all) => window.benchDeck.open("cells", ...all), [side / 2, side / 2, 1080 / side]);
    const opened = performance.now() - begin;
    const fields = [];
    for (const scale of [1, 0.3]) {
      const times = [];
      for (const part of [0.3, 0.6])
        times.push(await page.evaluate((all) => window.benchDeck.show(...all), [side * part, side * part, scale]));
      fields.push(median(times));
    }
    return [opened, ...fields, ...(await processes(browser))];
  } finally {
    await browser.close();
  }
}

/** MB of the largest page and of the graphics process. */
async function processes(browser) {
  const control = await browser.newBrowserCDPSession();
  const { processInfo } = await control.send("SystemInfo.getProcessInfo");
  const most = (kind) =>
    Math.max(0, ...processInfo.filter(({ type }) => type === kind).map(({ id }) => privateBytes(id)));
  return [most("renderer") / 1e6, most("GPU") / 1e6];
}

const rounded = (value) => value.toFixed(0);

/** A page of its own on the slide, with its overlay or as if it had none. */
async function withPage(browser, address, overlaid, work) {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(meter);
    if (!overlaid) await page.route("**/slides/cells/overlays", (route) => route.fulfill({ json: { overlays: [] } }));
    await page.goto(`${address}/slides/cells`);
    await page.waitForFunction(
      (overlaid) => (overlaid ? window.overlay().visible : window.__wavescope?.slide?.()),
      overlaid,
      { timeout: 60_000 },
    );
    return await work(page);
  } finally {
    await context.close();
  }
}

/** Goes over the slide, then measures. */
async function memoryOf(page, browser) {
  await page.evaluate(views, SCALES);
  for (const scale of [1, 0.3, 0.05]) await page.evaluate(pan, { scale, frames: FRAMES, step: STEP });
  return memory(page, browser);
}

/** First cells and frames, by some painters. */
async function times(browser, page, painters, limit) {
  const rows = [];
  for (const painter of painters) {
    await page.evaluate((choice) => window.__wavescope.overlays.choosePainter(choice), painter);
    for (const scale of [1, 0.3, 0.05]) {
      const times = await page.evaluate(jump, {
        scale,
        jumps: JUMPS[painter],
        salt: painter === "canvas" ? 0.37 : 0.71,
      });
      const { result, processor } = await tracedFrames(browser, page, () =>
        page.evaluate(pan, { scale, frames: FRAMES, step: STEP }),
      );
      const [own, all] = [quantile(result.own, 0.95), quantile(processor, 0.95)];
      const figures = [median(times), Math.max(...times), own, all, median(result.between), result.painted];
      rows.push([`${painter} ${scale}`, ...figures.map((value) => value.toFixed(1))]);
      if (painter === "webgl") continue; // as it is here, the page does not choose it
      limit(`ms to the first cells at ${scale}`, figures[0], LIMITS.first);
      limit(`ms of the main thread at ${scale}`, own, LIMITS.pan);
      limit(`ms from frame to frame at ${scale}`, figures[4], LIMITS.frame);
    }
  }
  await toggle(page, false);
  for (const scale of [1, 0.3, 0.05]) {
    const { result, processor } = await tracedFrames(browser, page, () =>
      page.evaluate(pan, { scale, frames: FRAMES, step: STEP }),
    );
    const figures = [quantile(processor, 0.95), median(result.between)];
    rows.push([`hidden ${scale}`, "", "", "", ...figures.map((value) => value.toFixed(1)), ""]);
  }
  table(
    "Milliseconds: first cells after a jump (median, most), main thread of a frame that pans (overlay, all tasks: p95), frame to frame (median), a picture in the worker",
    ["", "first", "most", "overlay", "all", "frame", "picture"],
    rows,
  );
}

/** Runs before the page's own scripts: marks frames, and listens to what layers of overlays report. */
function meter() {
  const real = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (work) =>
    real((time) => {
      performance.mark("frame");
      work(time);
    });
  const nothing = { visible: false, settled: true, detail: null, received: 0, tiles: 0, milliseconds: 0 };
  window.overlay = () => window.__wavescope?.overlays?.state()[0] ?? nothing;
  window.overlayWork = [];
  window.pictures = [];
  new PerformanceObserver((list) => {
    window.overlayWork.push(...list.getEntriesByName("overlay", "measure").map(({ duration }) => duration));
    window.pictures.push(
      ...list.getEntriesByName("overlay-picture", "mark").map(({ startTime, detail }) => [startTime, detail]),
    );
  }).observe({ entryTypes: ["measure", "mark"] });
}

/** Hides or shows the overlay, and waits until it is. */
async function toggle(page, wanted) {
  if ((await page.evaluate(() => window.overlay().visible)) !== wanted) await page.keyboard.press("Shift+Y");
  await page.waitForFunction((wanted) => {
    const { visible, settled } = window.overlay();
    return visible === wanted && (settled || !wanted);
  }, wanted);
}

/** Shows fields that were not seen yet; kB that came over the wire for the largest of some at each scale. */
async function views(scales) {
  const frame = () => new Promise(requestAnimationFrame);
  const { width, height } = window.__wavescope.slide();
  const state = window.overlay;
  const found = [];
  for (const [i, scale] of scales.entries()) {
    let most = 0;
    for (const part of [0.2, 0.45, 0.7]) {
      const before = state().received;
      const [l0_x, l0_y] = [width * (part + 0.013 * i), height * (part - 0.017 * i)];
      window.__wavescope.viewport.show({ l0_x, l0_y, scale }, true);
      for (let waited = 0; waited < 4 || (state().visible && !state().settled); waited += 1) await frame(); // it follows within frames
      await window.__wavescope.idle();
      most = Math.max(most, state().received - before);
    }
    found.push([scale, most / 1000, state().detail]);
  }
  return found;
}

/** Milliseconds from a jump to the first cells of fields that were not seen before. */
async function jump({ scale, jumps, salt }) {
  const frame = () => new Promise(requestAnimationFrame);
  const { width, height } = window.__wavescope.slide();
  const times = [];
  for (let i = 0; i < jumps; i += 1) {
    const [l0_x, l0_y] = [width * ((0.1 + salt * i) % 0.9), height * ((0.15 + 0.618 * i + salt) % 0.9)];
    window.pictures.length = 0;
    const begin = performance.now();
    window.__wavescope.viewport.show({ l0_x, l0_y, scale }, true);
    let first;
    do {
      await frame();
      first = window.pictures.find(([time, own]) => own && time > begin + 1);
    } while (!first && performance.now() - begin < 10_000);
    times.push((first?.[0] ?? performance.now()) - begin);
    do await frame();
    while (!window.overlay().settled);
  }
  return times;
}

async function pan({ scale, frames, step }) {
  const frame = () => new Promise(requestAnimationFrame);
  const { width, height } = window.__wavescope.slide();
  const show = (i) =>
    window.__wavescope.viewport.show(
      { l0_x: 0.3 * width + (i * step) / scale, l0_y: 0.4 * height + (i * step) / scale / 3, scale },
      true,
    );
  show(0);
  const state = window.overlay;
  await window.__wavescope.idle();
  do await frame();
  while (state().visible && !state().settled);
  window.overlayWork.length = 0;
  performance.mark("frames-begin");
  const times = [];
  for (let i = 0; i < frames; i += 1) {
    show(i);
    times.push(await frame());
  }
  performance.mark("frames-end");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const between = times.slice(1).map((time, i) => time - times[i]);
  return { between, own: window.overlayWork, painted: state().milliseconds };
}

/** Of the page's heap and of its whole process, after a collection of garbage; MB. */
async function memory(page, browser) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const tiles = await page.evaluate(() => window.overlay().tiles);
  const [renderer] = await processes(browser);
  return {
    heap: (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6,
    "decoded tiles": tiles / 1e6,
    renderer,
  };
}

/** What a process has for itself. */
function privateBytes(id) {
  if (!readdirSync("/proc").includes(String(id))) return 0;
  const kB = readFileSync(`/proc/${id}/smaps_rollup`, "utf8").matchAll(/^Private_\w+: +(\d+) kB/gm);
  return [...kB].reduce((sum, [, one]) => sum + 1024 * Number(one), 0);
}

const quantile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
