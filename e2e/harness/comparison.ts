// Several slides as a test sees them.
import { type Page, expect } from "@playwright/test";
import type { TestHooks } from "../../frontend/app/src/testHooks.ts";
import { address } from "./microscope.ts";

export type Seen = ReturnType<TestHooks["viewport"]["state"]>;

export async function openComparison(page: Page, one: string, other: string, rest = ""): Promise<void> {
  await page.goto(`${address()}/compare?slide=${one}&slide=${other}${rest}`);
  await comparisonIsOpen(page);
}

export async function comparisonIsOpen(page: Page): Promise<void> {
  await page.waitForFunction(() => window.__wavescope.page === "compare" && window.__wavescope.comparison !== null);
  await comparisonIdle(page);
}

export async function comparisonIdle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const panes = window.__wavescope.comparison!;
    for (const pane of [...panes, ...panes]) await pane.idle(); // one may have been on its way when those before it were there
  });
}

/** What the first two slides show. */
export async function seen(page: Page): Promise<{ A: Seen; B: Seen }> {
  const [A, B] = await seenInAll(page);
  return { A: A!, B: B! };
}

export const seenInAll = (page: Page): Promise<Seen[]> =>
  page.evaluate(() => window.__wavescope.comparison!.map((pane) => pane.viewport.state()));

/** Drags the picture of a pane. */
export async function drag(page: Page, pane: "A" | "B" | "C" | "D", across: number, down: number): Promise<void> {
  const viewer = (await page.getByTestId(`viewer-${pane}`).boundingBox())!;
  const [x, y] = [viewer.x + viewer.width / 2, viewer.y + viewer.height * 0.6];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + across, y + down, { steps: 8 });
  await page.mouse.up();
  await comparisonIdle(page);
}

export interface Offset {
  /** Level-0 pixels of B from where the centre of A belongs, in B's own axes. */
  readonly l0_dx: number;
  readonly l0_dy: number;
  readonly rotation: number;
  readonly ratio: number;
  readonly planes: number;
}

/** How two slides of equal pixel size lie against each other: B = R(rotation) A + d. */
export function offsetOf({ A, B }: { A: Seen; B: Seen }): Offset {
  const rotation = A.rotation - B.rotation;
  const radians = (rotation * Math.PI) / 180;
  const [x, y] = centreOf(A);
  const [b_x, b_y] = centreOf(B);
  return {
    l0_dx: b_x - (Math.cos(radians) * x - Math.sin(radians) * y),
    l0_dy: b_y - (Math.sin(radians) * x + Math.cos(radians) * y),
    rotation: ((rotation % 360) + 360) % 360,
    ratio: B.scale / A.scale,
    planes: B.plane - A.plane,
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
