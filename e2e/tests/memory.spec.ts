// A day at the microscope: five hundred fields (a hundred in the short form), and the page does not grow.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { dice } from "../harness/pictures.ts";
import { SHARE } from "../harness/sampled.ts";

const MIB = 2 ** 20;
/** A window of half the pixels of a large screen: drawing without a GPU would take most of the test's time otherwise. */
const WINDOW = { width: 1280, height: 720 };
/** Until the caches are full, and in all: an eighth as many between the two in the short form. */
const EARLY = SHARE === 1 ? 100 : 50;
const VIEWS = EARLY + 400 / SHARE;
const SAME_VIEWS = 20;
const LEVELS = [0, 0, 0, 1, 1, 2, 3];

test.use({ viewport: WINDOW });

interface Weight {
  readonly heap: number;
  readonly wasm: number;
  readonly samples: number;
  readonly bitmaps: number;
}

interface Field {
  readonly x: number;
  readonly y: number;
  readonly level: number;
  readonly plane: number;
  readonly window: typeof WINDOW;
}

/** Weighs page and workers after a collection of garbage. */
async function weigh(page: Page): Promise<Weight> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const own = await page.evaluate(() => window.__wavescope.memory());
  return {
    heap: usedSize + (embedderHeapUsedSize ?? 0) + (backingStorageSize ?? 0),
    wasm: own.wasmBytes,
    samples: own.decodedBytes,
    bitmaps: own.bitmapBytes,
  };
}

/** The workers keep samples outside the page's own heap. */
const total = ({ heap, wasm, samples, bitmaps }: Weight): number => heap + wasm + samples + bitmaps;
const decoded = ({ samples, bitmaps }: Weight): number => samples + bitmaps;

test(`after ${VIEWS} views the decoded data is within 512 MB and nothing has grown since view ${EARLY}`, async ({
  page,
}) => {
  test.setTimeout(900_000);
  await openSlide(page, SLIDES.large);
  await walk(page, dice(1), EARLY - SAME_VIEWS);
  const early = await weighAfterSameViews(page);
  await walk(page, dice(2), VIEWS - EARLY - SAME_VIEWS);
  const late = await weighAfterSameViews(page);
  const words = `view ${EARLY}: ${JSON.stringify(early)}, view ${VIEWS}: ${JSON.stringify(late)}`;
  test.info().annotations.push({ type: "memory", description: words });
  expect(decoded(late), words).toBeLessThanOrEqual(512 * MIB);
  expect(decoded(early), "enough is looked at to fill the caches").toBeGreaterThan(64 * MIB);
  expect(total(late), words).toBeLessThanOrEqual(1.1 * total(early));
});

/** What is kept depends on the views just before: both times these are the same, and begin with another focal plane. */
async function weighAfterSameViews(page: Page): Promise<Weight> {
  await page.evaluate(look, { x: 0.5, y: 0.5, level: 0, plane: 0, window: WINDOW });
  await walk(page, dice(3), SAME_VIEWS - 1, 1);
  return weigh(page);
}

/** This many views at random positions, on a random plane unless one is given. */
async function walk(page: Page, random: () => number, views: number, plane?: number): Promise<void> {
  for (let view = 0; view < views; view++) {
    const level = LEVELS[Math.floor(random() * LEVELS.length)]!;
    const at = { x: random(), y: random(), level, plane: plane ?? Math.floor(random() * 2) };
    await page.evaluate(look, { ...at, window: WINDOW });
  }
}

/** One view, until it is drawn whole. Runs in the page. */
async function look({ x, y, level, plane, window: { width: across, height: down } }: Field): Promise<void> {
  const { viewport, slide, idle } = window.__wavescope;
  const { width, height } = slide();
  viewport.setPlane(plane);
  await viewport.goTo(
    Math.max(0, x * (width - across * 2 ** level)),
    Math.max(0, y * (height - down * 2 ** level)),
    level,
  );
  await idle();
}
