// Real time between frames while panning over annotations in a Chromium without a GPU: what a virtual desktop or a remote session sees.
import { createRequire } from "node:module";
import { at } from "../repository.mjs";
import { chromiumFile, median } from "./browser.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const FRAMES = 60;
const WAYS = [
  ["whole slide", 0.1],
  ["in between", 0.35],
  ["1:1", 1],
];

/** Runs in the page: pans on a slanted line, a step a frame; milliseconds from frame to frame. */
async function pan({ scale, frames }) {
  const { width, height } = window.__wavescope.slide();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const show = (part) =>
    window.__wavescope.viewport.show(
      { l0_x: width * (0.3 + 0.3 * part), l0_y: height * (0.35 + 0.2 * part), scale },
      true,
    );
  show(0);
  await window.__wavescope.idle();
  while (!window.__wavescope.annotations.state().settled) await frame();
  for (let i = 0; i < 5; i += 1) await frame();
  const times = [];
  for (let i = 0; i <= frames; i += 1) {
    show(i / frames);
    times.push(await frame());
  }
  return times.slice(1).map((time, i) => time - times[i]);
}

/** Opens the slide and gives, zoom by zoom, the median and the 95th percentile of the times between frames, and who draws the annotations. */
export async function* intervals(address, slide, count) {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    ...(process.env.WAVESCOPE_BENCH_CHROMIUM_ARGS ?? "").split(" ").filter(Boolean),
  ];
  const browser = await chromium.launch({ executablePath: chromiumFile(chromium), args });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(`${address}/slides/${slide}`);
    const isReady = (all) => {
      try {
        const { count, settled, save } = window.__wavescope.annotations.state();
        return count === all && settled && save === "saved";
      } catch {
        return false;
      }
    };
    await page.waitForFunction(isReady, count, { timeout: 180_000 });
    for (const [name, scale] of WAYS) {
      const times = await page.evaluate(pan, { scale, frames: FRAMES });
      const { painter } = await page.evaluate(() => window.__wavescope.annotations.state());
      yield {
        name,
        painter,
        median: median(times),
        p95: [...times].sort((a, b) => a - b)[Math.floor(0.95 * times.length)],
      };
    }
  } finally {
    await browser.close();
  }
}
