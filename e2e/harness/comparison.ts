// Two slides as a test sees them.
import { type Page, expect } from "@playwright/test";
import type { TestHooks } from "../../frontend/app/src/testHooks.ts";
import { address } from "./microscope.ts";

export type Seen = ReturnType<TestHooks["viewport"]["state"]>;

export async function openComparison(page: Page, left: string, right: string, rest = ""): Promise<void> {
  await page.goto(`${address()}/compare?left=${left}&right=${right}${rest}`);
  await comparisonIsOpen(page);
}

export async function comparisonIsOpen(page: Page): Promise<void> {
  await page.waitForFunction(() => window.__wavescope.page === "compare" && window.__wavescope.comparison !== null);
  await comparisonIdle(page);
}

export async function comparisonIdle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { left, right } = window.__wavescope.comparison!;
    await left.idle();
    await right.idle();
    await left.idle(); // the right one may have been on its way when the left one was there
  });
}

export const seen = (page: Page): Promise<{ left: Seen; right: Seen }> =>
  page.evaluate(() => {
    const { left, right } = window.__wavescope.comparison!;
    return { left: left.viewport.state(), right: right.viewport.state() };
  });

/** Drags the picture of one side. */
export async function drag(page: Page, side: "left" | "right", across: number, down: number): Promise<void> {
  const viewer = (await page.getByTestId(`viewer-${side}`).boundingBox())!;
  const [x, y] = [viewer.x + viewer.width / 2, viewer.y + viewer.height * 0.6];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + across, y + down, { steps: 8 });
  await page.mouse.up();
  await comparisonIdle(page);
}

export interface Offset {
  /** Level-0 pixels of the right slide from where the left one's centre belongs, in the right one's own axes. */
  readonly l0_dx: number;
  readonly l0_dy: number;
  readonly rotation: number;
  readonly ratio: number;
  readonly planes: number;
}

/** How two slides of equal pixel size lie against each other: right = R(rotation) left + d. */
export function offsetOf({ left, right }: { left: Seen; right: Seen }): Offset {
  const rotation = left.rotation - right.rotation;
  const radians = (rotation * Math.PI) / 180;
  const [x, y] = centreOf(left);
  const [right_x, right_y] = centreOf(right);
  return {
    l0_dx: right_x - (Math.cos(radians) * x - Math.sin(radians) * y),
    l0_dy: right_y - (Math.sin(radians) * x + Math.cos(radians) * y),
    rotation: ((rotation % 360) + 360) % 360,
    ratio: right.scale / left.scale,
    planes: right.plane - left.plane,
  };
}

/** Within a pixel of the screen. */
export function expectSameOffset(before: Offset, after: Offset, scale: number): void {
  expect(Math.hypot(after.l0_dx - before.l0_dx, after.l0_dy - before.l0_dy) * scale).toBeLessThan(1);
  expect(after.rotation).toBeCloseTo(before.rotation, 3);
  expect(after.ratio).toBeCloseTo(before.ratio, 6);
  expect(after.planes).toBe(before.planes);
}

export function centreOf({ l0_x, l0_y, l0_width, l0_height }: Seen): [number, number] {
  return [l0_x + l0_width / 2, l0_y + l0_height / 2];
}
