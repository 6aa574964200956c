// Fingers on a touch screen.
import type { CDPSession, Page } from "@playwright/test";

/** CSS pixels of the page. */
export type Point = readonly [number, number];

const STEPS = 12;

/** Moves fingers along straight lines, all of them in each frame; `before` they are lifted. */
export async function fingers(
  page: Page,
  from: readonly Point[],
  to: readonly Point[],
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const link: CDPSession = await page.context().newCDPSession(page);
  const at = (part: number) =>
    from.map(([x, y], id) => ({ id, x: x + (to[id]![0] - x) * part, y: y + (to[id]![1] - y) * part }));
  await link.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= STEPS; step++) {
    await link.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / STEPS) });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await before();
  await link.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Two fingers apart, about a point. */
export function pinch(page: Page, x: number, y: number): Promise<void> {
  const pair = (half: number): Point[] => [
    [x - half, y],
    [x + half, y],
  ];
  return fingers(page, pair(40), pair(60));
}
