// Mixing of channels in Chromium, by WebGL and on the processor by turns: from the change of a window to the drawn frame, of 4 and of 64 channels; and a
// channel that is switched on, beside a new field. Without a graphics card the processor draws for WebGL, too, and the page itself would not use it.
// Viv, which draws by WebGL, shows the same slide by turns, from the OME-Zarr that the service makes of it; it mixes at most 10 channels.
//
// WAVESCOPE_BENCH_STORE keeps the slides from run to run. WAVESCOPE_BENCH_CHROMIUM_ARGS: other arguments than --disable-gpu, for a machine
// with a graphics card. WAVESCOPE_BENCH_ADDRESS: a running service with both slides. WAVESCOPE_BENCH_MIXERS=canvas,viv: of these alone.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, endChildren, inVenv, run } from "../repository.mjs";
import { chromiumFile, median, startService, table } from "./browser.mjs";
import { pretendGraphicsCard } from "./mainThread.mjs";
import { vivPage, vivScript } from "./viv.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const ROUNDS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 3);
const MIXERS = (process.env.WAVESCOPE_BENCH_MIXERS ?? "webgl,canvas,viv").split(",");
const SCREEN = { width: 1920, height: 1080 };
const SLIDES = {
  eight: "specimen:7700x3300?seed=8&channels=8",
  many: "specimen:2048x1280?seed=9&channels=64",
};
const FIELDS = 6;
const CHANGES = 30;

command(async () => {
  const folder = mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  try {
    const address = process.env.WAVESCOPE_BENCH_ADDRESS ?? (await serve(folder));
    const args = [
      "--no-sandbox",
      ...(process.env.WAVESCOPE_BENCH_CHROMIUM_ARGS ?? "--disable-gpu").split(" ").filter(Boolean),
    ];
    const browser = await chromium.launch({ executablePath: chromiumFile(chromium), args });
    try {
      const script = MIXERS.includes("viv") ? await vivScript(folder) : "";
      const times = Object.fromEntries(MIXERS.map((mixer) => [mixer, []]));
      for (let round = 0; round < ROUNDS; round += 1)
        for (const mixer of MIXERS)
          times[mixer].push(
            await (mixer === "viv" ? measureViv(browser, address, script) : measure(browser, address, mixer)),
          );
      report(times);
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function serve(folder) {
  const store = process.env.WAVESCOPE_BENCH_STORE ?? join(folder, "store");
  if (!existsSync(join(store, "catalog.sqlite")))
    for (const [id, source] of Object.entries(SLIDES)) {
      const args = ["ingest", source, "--id", id, "--quality", "0.7sigma", "--store", store];
      const ingest = await run(inVenv("wavescope"), args);
      if (ingest.code !== 0) throw new Stop("The specimen could not be ingested.", ingest.output);
    }
  return startService(store);
}

/** One opening of each slide: all samples in milliseconds. */
async function measure(browser, address, mixer) {
  const context = await browser.newContext({ viewport: SCREEN });
  if (mixer === "webgl") await context.addInitScript(pretendGraphicsCard);
  await context.addInitScript(installWatch);
  try {
    const eight = await opened(context, address, "eight", 3);
    const fields = await eight.evaluate(
      newFields,
      Array.from({ length: FIELDS }, (_, i) => placeOf(i)),
    );
    const four = await eight.evaluate(windows, { changes: CHANGES, channels: 4 });
    const used = (await eight.evaluate(() => window.__wavescope.memory())).mixer;
    if (used && used !== mixer) throw new Stop(`The page mixes by ${used}, not by ${mixer}.`);
    await eight.close();
    const many = await opened(context, address, "many", 0);
    const all = await many.evaluate(switchOnAll, 64);
    const sixtyFour = await many.evaluate(windows, { changes: CHANGES, channels: 64 });
    const { decodedBytes, bitmapBytes } = await many.evaluate(() => window.__wavescope.memory());
    return { ...fields, four, sixtyFour, all, bytes: decodedBytes + bitmapBytes };
  } finally {
    await context.close();
  }
}

/** The same of Viv, as far as it can: four channels, and a fifth. */
async function measureViv(browser, address, script) {
  const context = await browser.newContext({ viewport: SCREEN });
  try {
    const [channels, centre] = [
      [0, 1, 2, 3],
      [SCREEN.width * 3.5, SCREEN.height / 2],
    ];
    const page = await vivPage(context, { address, slide: "eight", script, channels, centre });
    const [field, on] = [[], []];
    for (let i = 0; i < FIELDS; i += 1) {
      field.push(await page.evaluate((place) => window.benchViv.field(place), placeOf(i)));
      on.push(await page.evaluate(() => window.benchViv.channels([0, 1, 2, 3, 4])));
      await page.evaluate(() => window.benchViv.channels([0, 1, 2, 3]));
    }
    const four = [];
    for (let i = 0; i < CHANGES; i += 1)
      four.push({ drawn: await page.evaluate((high) => window.benchViv.window(high), 1000 + 50 * i) });
    return { field, on, four };
  } finally {
    await context.close();
  }
}

/** The middle of a new field, in level-0 pixels. */
const placeOf = (i) => [960 + 1920 * (i % 3), 540 + 1100 * Math.floor(i / 3)];

/** The slide at 1:1, as far from its corner as it is wide, so many times. */
async function opened(context, address, slide, across) {
  const page = await context.newPage();
  await page.goto(`${address}/slides/${slide}#x=${SCREEN.width * (across + 0.5)}&y=${SCREEN.height / 2}&scale=1`);
  await page.waitForFunction(() => {
    try {
      return window.__wavescope.fidelity() === "exact";
    } catch {
      return false; // not open yet
    }
  });
  await page.evaluate(() => window.__wavescope.complete());
  return page;
}

function report(times) {
  const all = (mixer, name) => times[mixer].flatMap((one) => one[name] ?? []);
  const ms = (value) => (Number.isFinite(value) ? value.toFixed(1) : "-");
  const middle = (values) => (values.length > 0 ? median(values) : NaN);
  const most = (values) => (values.length > 0 ? Math.max(...values) : NaN);
  const cells = (of) => MIXERS.map(of);
  const row = (name, of, target = "") => [name, ...cells(of), target];
  const windowRows = (count, name) => [
    row(
      `window of one of ${count}: frames until it is drawn, most`,
      (mixer) => ms(most(all(mixer, name).map(({ frames }) => frames))).replace(".0", ""),
      "1",
    ),
    row(`window of one of ${count}: mixing, ms`, (mixer) => ms(middle(all(mixer, name).map(({ mixing }) => mixing)))),
    row(`window of one of ${count}: to the drawn frame, ms`, (mixer) =>
      ms(middle(all(mixer, name).map(({ drawn }) => drawn))),
    ),
  ];
  table(
    `Channels at 1:1 on ${SCREEN.width} x ${SCREEN.height}, medians of ${ROUNDS} rounds`,
    ["", ...MIXERS, "target"],
    [
      ...windowRows(4, "four"),
      ...windowRows(64, "sixtyFour"),
      row("new field of 4 channels, ms", (mixer) => ms(middle(all(mixer, "field")))),
      row("a fifth channel switched on, ms", (mixer) => ms(middle(all(mixer, "on")))),
      row(
        "of the time of the new field",
        (mixer) => (middle(all(mixer, "on")) / middle(all(mixer, "field"))).toFixed(2),
        "0.5",
      ),
      row("64 channels switched on at once, ms", (mixer) => ms(middle(all(mixer, "all")))),
      row("memory of 64 channels, MB", (mixer) => ms(most(all(mixer, "bytes")) / 1e6), "512"),
    ],
  );
}

/** Runs in the page before its scripts: resolves when what is wanted is drawn whole. */
function installWatch() {
  window.benchDrawn = () =>
    new Promise((resolve) => {
      const { afterDraw, tileState } = window.__wavescope;
      const stop = afterDraw(() => {
        if (!tileState().every(({ current, state }) => current && state === "exact")) return;
        stop();
        resolve(performance.now());
      });
    });
}

/** New fields side by side, with four channels; in each a fifth one is switched on. Runs in the page. */
async function newFields(places) {
  const { viewport, light, idle } = window.__wavescope;
  const [times, on] = [[], []];
  const timed = async (list, change) => {
    const drawn = window.benchDrawn();
    const begin = performance.now();
    change();
    list.push((await drawn) - begin);
    await idle();
  };
  const window_ = [0, 3000, 100];
  const mix = {
    c0: [255, ...window_],
    c1: [65280, ...window_],
    c2: [16711680, ...window_],
    c3: [16777215, ...window_],
  };
  light.set({ ...light.read(), mix });
  await idle();
  for (const [l0_x, l0_y] of places) {
    await timed(times, () => viewport.show({ l0_x, l0_y, scale: 1 }, true));
    await timed(on, () => light.set({ ...light.read(), mix: { ...mix, c4: [16776960, ...window_] } }));
    light.set({ ...light.read(), mix });
    await idle();
  }
  return { field: times, on };
}

/** All channels at once. Runs in the page. */
async function switchOnAll(count) {
  const { light, idle } = window.__wavescope;
  const mix = Object.fromEntries(
    Array.from({ length: count }, (_, c) => [`c${c}`, [(c * 0x35a7c3) & 0x3f3f3f, 100, 4000 + c, 100]]),
  );
  const drawn = window.benchDrawn();
  const begin = performance.now();
  light.set({ ...light.read(), mix });
  const time = (await drawn) - begin;
  await idle();
  return [time];
}

/** Windows of the first channel, each set just after a frame, as a slider does. Runs in the page. */
async function windows({ changes, channels }) {
  const { light, idle, afterDraw } = window.__wavescope;
  const { mix } = light.read();
  if (Object.keys(mix).length !== channels) throw new Error(`not ${channels} channels are on`);
  const [colour] = mix.c0;
  const set = (high) => light.set({ ...light.read(), mix: { ...mix, c0: [colour, 0, high, 100] } });
  set(2999);
  await idle(); // its samples are decoded, if they were not any more
  const times = [];
  for (let i = 0; i < changes; i += 1) {
    await new Promise(requestAnimationFrame);
    let frames = 0;
    const counted = afterDraw(() => (frames += 1));
    const drawn = window.benchDrawn();
    const begin = performance.now();
    set(1000 + 50 * i);
    const mixing = performance.now() - begin;
    times.push({ mixing, drawn: (await drawn) - begin, frames });
    counted();
  }
  return times;
}
