// A day at the microscope: five hundred fields, and the page does not grow.
import { type Page, expect, test } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { dice } from "../harness/pictures.ts";

const MIB = 2 ** 20;
const VIEWS = 500;

interface Weight {
  readonly heap: number;
  readonly wasm: number;
  readonly samples: number;
  readonly bitmaps: number;
}

/** Weighs page and workers after a collection of garbage. */
async function weigh(page: Page): Promise<Weight> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = (await session.send("Runtime.getHeapUsage")) as unknown as Record<string, number>;
  await session.detach();
  const own = await page.evaluate(() => window.__wavescope.memory());
  return {
    heap: usedSize! + (embedderHeapUsedSize ?? 0) + (backingStorageSize ?? 0),
    wasm: own.wasmBytes,
    samples: own.decodedBytes,
    bitmaps: own.bitmapBytes,
  };
}

/** The workers keep samples outside the page's own heap. */
const total = ({ heap, wasm, samples, bitmaps }: Weight): number => heap + wasm + samples + bitmaps;
const decoded = ({ samples, bitmaps }: Weight): number => samples + bitmaps;

test(`after ${VIEWS} views the decoded data is within 512 MB and nothing has grown since view 100`, async ({ page }) => {
  test.setTimeout(900_000);
  await openSlide(page, SLIDES.large);
  const random = dice(100);
  let early: Weight | undefined;
  for (let view = 1; view <= VIEWS; view++) {
    const levels = [0, 0, 0, 1, 1, 2, 3];
    const aim = { x: random(), y: random(), level: levels[Math.floor(random() * levels.length)]!, plane: Math.floor(random() * 2) };
    const weighed = view === 100 || view === VIEWS; // the same field both times: what is drawn differs from field to field
    await page.evaluate(look, weighed ? { x: 0.4, y: 0.6, level: 0, plane: 1 } : aim);
    if (view === 100) early = await weigh(page);
  }
  const late = await weigh(page);
  const words = `view 100: ${JSON.stringify(early)}, view ${VIEWS}: ${JSON.stringify(late)}`;
  test.info().annotations.push({ type: "memory", description: words });
  expect(decoded(late), words).toBeLessThanOrEqual(512 * MIB);
  expect(decoded(early!), "enough is looked at to fill the caches").toBeGreaterThan(64 * MIB);
  expect(total(late), words).toBeLessThanOrEqual(1.1 * total(early!));
});

/** One view, until it is drawn whole. Runs in the page. */
async function look({ x, y, level, plane }: { x: number; y: number; level: number; plane: number }): Promise<void> {
  const { viewport, slide, idle } = window.__wavescope;
  const { width, height } = slide();
  viewport.setPlane(plane);
  await viewport.goTo(Math.max(0, x * (width - 1920 * 2 ** level)), Math.max(0, y * (height - 1080 * 2 ** level)), level);
  await idle();
}
