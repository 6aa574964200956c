// Registration by landmarks: points marked on both slides by clicks or keys align the slides.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { centreOf, openComparison, comparisonIdle, comparisonIsOpen, seen } from "../harness/comparison.ts";
import { storePicture } from "../harness/looks.ts";

test.use({ viewport: { width: 1366, height: 768 }, contextOptions: { reducedMotion: "reduce" } });

type Point = readonly [number, number];

/** Clicks a level-0 point of one slide. */
async function mark(page: Page, side: "left" | "right", [x, y]: Point): Promise<void> {
  const viewer = (await page.getByTestId(`viewer-${side}`).boundingBox())!;
  const at = await page.evaluate(
    ([one, l0_x, l0_y]) => window.__wavescope.comparison![one].viewport.toCanvas(l0_x, l0_y),
    [side, x, y] as const,
  );
  await page.mouse.click(viewer.x + at.canvas_x, viewer.y + at.canvas_y);
}

const pins = (page: Page, side: "left" | "right") => page.getByTestId(`pins-${side}`).getByRole("button");
const link = (page: Page) => page.getByTestId("link-status");

/** The same slide twice, the right one turned and moved away. */
async function openTurned(page: Page): Promise<void> {
  await openComparison(
    page,
    SLIDES.specimen,
    SLIDES.specimen,
    "#left.x=1450&left.y=1165&left.scale=0.12&right.x=1300&right.y=1000&right.scale=0.11&right.rotation=40",
  );
  await expect(link(page)).toContainText("rotated by −40°");
  await page.keyboard.press("Shift+l");
  await expect(page.getByTestId("landmarks")).toBeVisible();
  await comparisonIdle(page);
}

test("two marked points turn, scale and shift the right slide; four fit affinely; all of it survives a reload", async ({
  page,
}, info) => {
  await openTurned(page);
  await mark(page, "left", [1100, 900]);
  await expect(page.getByTestId("landmark-hint")).toContainText("right slide (B)");
  await expect(link(page)).toContainText("Not linked");
  await mark(page, "right", [1100, 900]);
  await expect(page.getByTestId("fit")).toHaveText("Shifted by one landmark");
  await expect(link(page)).toContainText("rotated by −40°");
  await mark(page, "left", [1800, 1000]);
  await mark(page, "right", [1800, 1000]);
  await expect(page.getByTestId("fit")).toHaveText(/^Similarity: 0(\.\d)?\sµm RMS/);
  await expect(link(page)).not.toContainText("rotated by −40°");
  await comparisonIdle(page);
  const registered = await seen(page);
  expect(registered.left.rotation).toBe(0); // the left one stays as it was
  expect(Math.min(registered.right.rotation, 360 - registered.right.rotation)).toBeLessThan(1.5);
  expect(registered.right.scale / registered.left.scale).toBeCloseTo(1, 1);
  for (const axis of [0, 1] as const)
    expect(Math.abs(centreOf(registered.right)[axis] - centreOf(registered.left)[axis])).toBeLessThan(25);

  await mark(page, "left", [1700, 1500]);
  await mark(page, "right", [1700, 1500]);
  await mark(page, "right", [1000, 1450]);
  await mark(page, "left", [1000, 1450]);
  await expect(page.getByTestId("fit")).toHaveText(/^Affine: /);
  await expect(page.getByTestId("landmark")).toHaveCount(4);
  await storePicture(page, info.outputPath("landmarks.png"));
  await expect(page).toHaveURL(/marks=.*;.*;.*;/);
  await comparisonIdle(page);
  const [before, words] = [await seen(page), await page.getByTestId("fit").textContent()];
  await page.reload();
  await comparisonIsOpen(page);
  await page.getByRole("button", { name: "Landmarks", exact: true }).click();
  await expect(pins(page, "right")).toHaveCount(4);
  await expect(page.getByTestId("fit")).toHaveText(words!);
  const after = await seen(page);
  for (const side of ["left", "right"] as const)
    for (const axis of [0, 1] as const)
      expect(centreOf(after[side])[axis]).toBeCloseTo(centreOf(before[side])[axis], 0);
});

test("a landmark that is off is shown with its error in micrometres, moved by keys, removed, undone and reset", async ({
  page,
}) => {
  await openTurned(page);
  for (const at of [
    [1100, 900],
    [1800, 1000],
  ] as const) {
    await mark(page, "left", at);
    await mark(page, "right", at);
  }
  const mpp = await page.evaluate(
    async () =>
      ((await (await fetch(`/api/v1/slides/${window.__wavescope.slide().id}`)).json()) as { mpp: { x: number } }).mpp.x,
  );
  await mark(page, "left", [1450, 1500]);
  await mark(page, "right", [1450, 1500 + 300]);
  const off = async (): Promise<number> => parseFloat((await page.getByTestId("residual").last().textContent())!);
  const start = await off();
  expect(start).toBeGreaterThan(40 * mpp);
  expect(start).toBeLessThan(300 * mpp);
  const rms = async (): Promise<number> =>
    parseFloat((await page.getByTestId("fit").textContent())!.replace(/^\D+/, ""));
  const worse = await rms();
  await pins(page, "right").last().focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(rms).toBeLessThan(worse);

  await page.getByRole("button", { name: "Remove landmark 3" }).click();
  await expect(page.getByTestId("landmark")).toHaveCount(2);
  await page.getByTestId("landmarks").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("landmark")).toHaveCount(3);
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
  await expect.poll(off).toBe(start);
  await page.getByTestId("landmarks").getByRole("button", { name: "Reset" }).click();
  await expect(page.getByTestId("landmark")).toHaveCount(0);
  await expect(link(page)).toContainText("at the same position");
  await expect(page).not.toHaveURL(/marks=/);
});

test("all of it goes by keys: middles are marked while each slide is moved by itself; pins are dragged too", async ({
  page,
}) => {
  await openTurned(page);
  for (const side of ["left", "right"] as const) {
    await page.evaluate(([one]) => window.__wavescope.comparison![one].viewport.show({ l0_x: 900, l0_y: 800 }, true), [
      side,
    ] as const);
    await page.getByTestId(`viewer-${side}`).focus();
    await page.keyboard.press("m");
    await expect(pins(page, side)).toHaveCount(1);
  }
  await comparisonIdle(page);
  const joined = await seen(page);
  for (const side of ["left", "right"] as const)
    for (const axis of [0, 1] as const) expect(centreOf(joined[side])[axis]).toBeCloseTo([900, 800][axis]!, 0);

  const pin = (await pins(page, "right").boundingBox())!;
  await page.mouse.move(pin.x + pin.width / 2, pin.y + pin.height / 2);
  await page.mouse.down();
  await page.mouse.move(pin.x + pin.width / 2 + 40, pin.y + pin.height / 2, { steps: 4 });
  await page.mouse.up();
  await comparisonIdle(page);
  const moved = await seen(page);
  const shift = Math.hypot(
    centreOf(moved.right)[0] - centreOf(moved.left)[0],
    centreOf(moved.right)[1] - centreOf(moved.left)[1],
  );
  expect(shift * moved.right.scale).toBeGreaterThan(35);
  expect(shift * moved.right.scale).toBeLessThan(45);
});

test("each slide has its objectives, and the other one comes along", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  const right = page.getByRole("region", { name: /^Right/ });
  await right.getByRole("button", { name: "Objective 10×" }).click();
  await comparisonIdle(page);
  const { left: one, right: other } = await seen(page);
  expect(one.scale).toBeCloseTo(other.scale, 6);
  await expect(
    page.getByRole("region", { name: /^Left/ }).getByRole("button", { name: "Objective 10×" }),
  ).toHaveAttribute("aria-pressed", "true");
});
