// Registration by landmarks: points marked on both slides by clicks or keys align the slides.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { centreOf, openComparison, comparisonIdle, comparisonIsOpen, seen } from "../harness/comparison.ts";
import { lookAt, storePicture } from "../harness/looks.ts";

test.use({ viewport: { width: 1366, height: 768 }, contextOptions: { reducedMotion: "reduce" } });

type Point = readonly [number, number];

const PANES = ["A", "B", "C", "D"] as const;
type Pane = (typeof PANES)[number];

/** Clicks a level-0 point of one slide. */
async function mark(page: Page, pane: Pane, [x, y]: Point): Promise<void> {
  const viewer = (await page.getByTestId(`viewer-${pane}`).boundingBox())!;
  const at = await page.evaluate(
    ([pane, l0_x, l0_y]) => window.__wavescope.comparison![pane]!.viewport.toCanvas(l0_x, l0_y),
    [PANES.indexOf(pane), x, y] as const,
  );
  await page.mouse.click(viewer.x + at.canvas_x, viewer.y + at.canvas_y);
}

const pins = (page: Page, pane: Pane) => page.getByTestId(`pins-${pane}`).getByRole("button");
const link = (page: Page) => page.getByTestId("link-status");

/** The same slide twice, B turned and moved away. */
async function openTurned(page: Page): Promise<void> {
  await openComparison(
    page,
    SLIDES.specimen,
    SLIDES.specimen,
    "#a.x=1450&a.y=1165&a.scale=0.12&b.x=1300&b.y=1000&b.scale=0.11&b.rotation=40",
  );
  await expect(link(page)).toContainText("rotated by −40°");
  await page.keyboard.press("Shift+l");
  await expect(page.getByTestId("landmarks")).toBeVisible();
  await comparisonIdle(page);
}

test("two marked points turn, scale and shift B; four fit affinely; all of it survives a reload", async ({
  page,
}, info) => {
  await openTurned(page);
  await mark(page, "A", [1100, 900]);
  await expect(page.getByTestId("landmark-hint")).toContainText("slide B");
  await expect(link(page)).toContainText("Not linked");
  await mark(page, "B", [1100, 900]);
  await expect(page.getByTestId("fit")).toHaveText("Shifted by one landmark");
  await expect(link(page)).toContainText("rotated by −40°");
  await mark(page, "A", [1800, 1000]);
  await mark(page, "B", [1800, 1000]);
  await expect(page.getByTestId("fit")).toHaveText(/^(Similarity|Ähnlichkeitsabbildung): 0([.,]\d)?\sµm RMS/);
  await expect(link(page)).not.toContainText("rotated by −40°");
  await comparisonIdle(page);
  const registered = await seen(page);
  expect(registered.A.rotation).toBe(0); // A stays as it was
  expect(Math.min(registered.B.rotation, 360 - registered.B.rotation)).toBeLessThan(1.5);
  expect(registered.B.scale / registered.A.scale).toBeCloseTo(1, 1);
  for (const axis of [0, 1] as const)
    expect(Math.abs(centreOf(registered.B)[axis] - centreOf(registered.A)[axis])).toBeLessThan(25);

  await mark(page, "A", [1700, 1500]);
  await mark(page, "B", [1700, 1500]);
  await mark(page, "B", [1000, 1450]);
  await mark(page, "A", [1000, 1450]);
  await expect(page.getByTestId("fit")).toHaveText(/^Affine( Abbildung)?: /);
  await expect(page.getByTestId("landmark")).toHaveCount(4);
  await storePicture(page, info.outputPath("landmarks.png"));
  await expect(page).toHaveURL(/marks=.*;.*;.*;/);
  await comparisonIdle(page);
  const [before, words] = [await seen(page), await page.getByTestId("fit").textContent()];
  await page.reload();
  await comparisonIsOpen(page);
  await page.getByRole("button", { name: "Landmarks", exact: true }).click();
  await expect(pins(page, "B")).toHaveCount(4);
  await expect(page.getByTestId("fit")).toHaveText(words!);
  const after = await seen(page);
  for (const side of ["A", "B"] as const)
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
    await mark(page, "A", at);
    await mark(page, "B", at);
  }
  const mpp = await page.evaluate(
    async () =>
      ((await (await fetch(`/api/v1/slides/${window.__wavescope.slide().id}`)).json()) as { mpp: { x: number } }).mpp.x,
  );
  await mark(page, "A", [1450, 1500]);
  await mark(page, "B", [1450, 1500 + 300]);
  const off = async (): Promise<number> => parseFloat((await page.getByTestId("residual").last().textContent())!);
  const start = await off();
  expect(start).toBeGreaterThan(40 * mpp);
  expect(start).toBeLessThan(300 * mpp);
  const rms = async (): Promise<number> =>
    parseFloat((await page.getByTestId("fit").textContent())!.replace(/^\D+/, ""));
  const worse = await rms();
  await pins(page, "B").last().focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(rms).toBeLessThan(worse);
  expect(await lookAt(page, "landmarks")).toEqual([]);

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
  for (const [i, pane] of (["A", "B"] as const).entries()) {
    await page.evaluate((one) => window.__wavescope.comparison![one]!.viewport.show({ l0_x: 900, l0_y: 800 }, true), i);
    await page.getByTestId(`viewer-${pane}`).focus();
    await page.keyboard.press("m");
    await expect(pins(page, pane)).toHaveCount(1);
  }
  await comparisonIdle(page);
  const joined = await seen(page);
  for (const side of ["A", "B"] as const)
    for (const axis of [0, 1] as const) expect(centreOf(joined[side])[axis]).toBeCloseTo([900, 800][axis]!, 0);

  const pin = (await pins(page, "B").boundingBox())!;
  await page.mouse.move(pin.x + pin.width / 2, pin.y + pin.height / 2);
  await page.mouse.down();
  await page.mouse.move(pin.x + pin.width / 2 + 40, pin.y + pin.height / 2, { steps: 4 });
  await page.mouse.up();
  await comparisonIdle(page);
  const moved = await seen(page);
  const shift = Math.hypot(centreOf(moved.B)[0] - centreOf(moved.A)[0], centreOf(moved.B)[1] - centreOf(moved.A)[1]);
  expect(shift * moved.B.scale).toBeGreaterThan(35);
  expect(shift * moved.B.scale).toBeLessThan(45);
});

test("each slide has its objectives, and the other one comes along", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  const other = page.getByRole("region", { name: /^B: / });
  await other.getByRole("button", { name: "Objective 10×" }).click();
  await comparisonIdle(page);
  const { A, B } = await seen(page);
  expect(A.scale).toBeCloseTo(B.scale, 6);
  await expect(
    page.getByRole("region", { name: /^A: / }).getByRole("button", { name: "Objective 10×" }),
  ).toHaveAttribute("aria-pressed", "true");
});
