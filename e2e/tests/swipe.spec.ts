// Two slides, one over the other, with a divider: which pixels are seen where, by hand, by keys, blended and flipped.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectSameOffset, offsetOf, openComparison, comparisonIdle, seen } from "../harness/comparison.ts";

test.use({ viewport: { width: 1280, height: 800 } });

/** Off the controls, on both sides of the middle. */
const BAND = { y: 470, width: 120, height: 60 };

type Rgb = readonly [number, number, number];

/** What is on the screen in a part of the field. */
async function screen(page: Page, x: number): Promise<Rgb[]> {
  const field = (await page.getByTestId("viewer-A").boundingBox())!;
  const png = PNG.sync.read(await page.screenshot({ clip: { ...BAND, x: field.x + x, y: field.y + BAND.y } }));
  return Array.from({ length: BAND.width * BAND.height }, (_, i) => [
    png.data[4 * i]!,
    png.data[4 * i + 1]!,
    png.data[4 * i + 2]!,
  ]);
}

/** What one of the slides has drawn there. */
async function drawn(page: Page, side: "A" | "B", x: number): Promise<Rgb[]> {
  const bytes = await page.evaluate(
    ([pane, x, { y, width, height }]) =>
      Array.from(window.__wavescope.comparison![pane]!.readCanvas(x, y, width, height).rgba),
    [side === "A" ? 0 : 1, x, BAND] as const,
  );
  return Array.from({ length: BAND.width * BAND.height }, (_, i) => [
    bytes[4 * i]!,
    bytes[4 * i + 1]!,
    bytes[4 * i + 2]!,
  ]);
}

function furthest(one: readonly Rgb[], other: readonly Rgb[]): number {
  return one.reduce((most, pixel, i) => Math.max(most, ...pixel.map((value, c) => Math.abs(value - other[i]![c]!))), 0);
}

const LEFT = 470;
const RIGHT = 690;

test.beforeEach(async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes, "&mode=swipe");
  await page.keyboard.press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.comparison![1]!.viewport.state().scale - 1) < 1e-6);
  await comparisonIdle(page);
});

test("A is seen left of the divider and B right of it, wherever the divider is dragged", async ({ page }) => {
  expect(furthest(await drawn(page, "A", LEFT), await drawn(page, "B", LEFT))).toBeGreaterThan(40);
  expect(furthest(await screen(page, LEFT), await drawn(page, "A", LEFT))).toBe(0);
  expect(furthest(await screen(page, RIGHT), await drawn(page, "B", RIGHT))).toBe(0);

  const grip = (await page.getByTestId("divider").boundingBox())!;
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(400, 300, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByTestId("divider")).toHaveAttribute("aria-valuenow", String(Math.round(40000 / 1280)));
  expect(furthest(await screen(page, LEFT), await drawn(page, "B", LEFT))).toBe(0);
});

test("keys move the divider, flip the slides and blend them", async ({ page }) => {
  const divider = page.getByTestId("divider");
  await page.keyboard.press("d");
  await expect(divider).toBeFocused();
  await page.keyboard.press("End");
  await expect(divider).toHaveAttribute("aria-valuetext", /^100 percent/);
  expect(furthest(await screen(page, RIGHT), await drawn(page, "A", RIGHT))).toBe(0);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(divider).toHaveAttribute("aria-valuenow", "1");

  await page.getByTestId("viewer-B").focus();
  expect(furthest(await screen(page, LEFT), await drawn(page, "B", LEFT))).toBe(0);
  await page.keyboard.press("x");
  await expect(page.getByRole("button", { name: "Flip A and B" })).toHaveAttribute("aria-pressed", "true");
  expect(furthest(await screen(page, LEFT), await drawn(page, "A", LEFT))).toBe(0);

  await page.keyboard.press("x");
  await page.getByTestId("blend").fill("50");
  const [a, b] = [await drawn(page, "A", LEFT), await drawn(page, "B", LEFT)];
  const mean = a.map(
    ([red, green, blue], i): Rgb => [(red + b[i]![0]) / 2, (green + b[i]![1]) / 2, (blue + b[i]![2]) / 2],
  );
  expect(furthest(await screen(page, LEFT), mean)).toBeLessThanOrEqual(2);
});

for (const [side, x] of [
  ["A", 300],
  ["B", 900],
] as const)
  test(`the ${side} slide is moved and zoomed by its own part, and takes the other along`, async ({ page }) => {
    const before = await seen(page);
    await page.mouse.move(x, 500);
    await page.mouse.down();
    await page.mouse.move(x - 50, 460, { steps: 5 });
    await page.mouse.up();
    await comparisonIdle(page);
    const moved = await seen(page);
    expect(moved.A.l0_x).toBeGreaterThan(before.A.l0_x + 40);
    expectSameOffset(offsetOf(before), offsetOf(moved), 1);
    await page.mouse.wheel(0, -480);
    await page.waitForFunction(
      (scale) => window.__wavescope.comparison![0]!.viewport.state().scale > 1.2 * scale,
      moved.A.scale,
    );
    await comparisonIdle(page);
    expectSameOffset(offsetOf(before), offsetOf(await seen(page)), 1);
  });
