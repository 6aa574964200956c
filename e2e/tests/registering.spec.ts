// Automatic alignment of two sections: found by the service, shown with what is left, corrected by landmarks, undone.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { centreOf, comparisonIdle, comparisonIsOpen, drag, openComparison, seen } from "../harness/comparison.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, lookAt, storePicture } from "../harness/looks.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: { width: 1366, height: 768 }, contextOptions: { reducedMotion: "reduce" } });
test.describe.configure({ timeout: 300_000 }); // a registration takes 5 s of a processor that may have other work

/** The same slide twice, B turned and moved away: what the service finds is known. */
const TURNED = "#a.x=1450&a.y=1165&a.scale=0.12&b.x=1300&b.y=1000&b.scale=0.11&b.rotation=40";

const panel = (page: Page) => page.getByTestId("alignment");
const aligned = (page: Page) =>
  expect(page.getByTestId("alignment-status")).toHaveText("Aligned automatically", { timeout: 240_000 });

/** Both show the same tissue, upright, to a few pixels of level 0. */
async function expectTogether(page: Page, off = 12): Promise<void> {
  await comparisonIdle(page);
  const { A, B } = await seen(page);
  const [x, y] = centreOf(A);
  const [b_x, b_y] = centreOf(B);
  expect(Math.hypot(x - b_x, y - b_y)).toBeLessThan(off);
  const turn = Math.abs(A.rotation - B.rotation) % 360;
  expect(Math.min(turn, 360 - turn)).toBeLessThan(1);
  expect(B.scale / A.scale).toBeCloseTo(1, 1);
}

test("by the mouse: aligned, linked wherever one goes, what is left is shown, and undone (RE8, RE10)", async ({
  page,
}) => {
  await openComparison(page, SLIDES.specimen, SLIDES.specimen, TURNED);
  await expect(page.getByTestId("link-status")).toContainText("rotated by −40°");
  const before = await seen(page);
  await page.getByRole("button", { name: "Align automatically" }).click();
  await expect(panel(page)).toBeVisible();
  await aligned(page);
  await expectTogether(page);
  await expect(page.getByTestId("alignment-residual")).toHaveText(/Remaining distance: [\d.]+\sµm \(median\)/);
  await drag(page, "A", -120, 60);
  await expectTogether(page);
  await drag(page, "B", 90, 40);
  await expectTogether(page);

  await page.getByRole("checkbox", { name: "Show remaining distances" }).check({ timeout: 20_000 });
  await expect(page.getByTestId("residuals").locator("circle").first()).toBeAttached();
  expect(await page.getByTestId("residuals").locator("g[data-kind=low]").count()).toBeGreaterThan(5);
  await storePicture(page, "test-results/registering.png");
  await expectNothingSeriousInEither(page, "the automatic alignment");

  const field = (await page.getByTestId("viewer-A").boundingBox())!;
  const other = (await page.getByTestId("viewer-B").boundingBox())!;
  await page.mouse.move(field.x + 200, field.y + 300);
  const cross = (await page.getByTestId("pointer-B").boundingBox())!;
  expect(cross.x + cross.width / 2 - other.x).toBeCloseTo(200, -1);
  expect(cross.y + cross.height / 2 - other.y).toBeCloseTo(300, -1);

  await expect(page).toHaveURL(/automatic=1/);
  await page.reload();
  await comparisonIsOpen(page);
  await expect(page).toHaveURL(/automatic=1/);
  await page.getByRole("button", { name: "Align automatically" }).click();
  await aligned(page);
  await page.getByRole("button", { name: "Undo alignment" }).click();
  await expect(panel(page)).toBeHidden();
  expect(before.A.rotation).toBe(0);
});

test("by keys alone: aligned, corrected by a landmark, closed (RE9, RE10)", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.specimen, TURNED);
  await page.keyboard.press("Shift+a");
  await aligned(page);
  await expectTogether(page);
  await page.getByRole("button", { name: "Correct by landmarks" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("landmarks")).toBeVisible();
  await page.getByTestId("viewer-A").focus();
  await page.keyboard.press("m");
  await page.getByTestId("viewer-B").focus();
  await page.keyboard.press("ArrowRight");
  await comparisonIdle(page);
  await page.keyboard.press("m");
  await expect(page.getByTestId("fit")).toHaveText(/^Corrected by 1 landmark; it was off by [\d.]+\sµm/);
  await comparisonIdle(page);
  const { A, B } = await seen(page);
  const off = Math.hypot(centreOf(A)[0] - centreOf(B)[0], centreOf(A)[1] - centreOf(B)[1]);
  expect(off).toBeGreaterThan(20); // as the landmark says
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("landmark")).toHaveCount(0);
  await page.keyboard.press("Shift+l");
  await page.getByRole("button", { name: "Close automatic alignment" }).focus();
  await page.keyboard.press("Enter");
  await expect(panel(page)).toBeHidden();
});

test("a trackpad and two fingers move both aligned slides (RE8)", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.specimen, TURNED);
  await page.keyboard.press("Shift+a");
  await aligned(page);
  const link = await page.context().newCDPSession(page);
  const box = (await page.getByTestId("viewer-A").boundingBox())!;
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  const start = (await seen(page)).A.scale;
  for (let i = 0; i < 12; i++)
    await link.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: -6, modifiers: 2 });
  await page.waitForFunction((scale) => window.__wavescope.comparison![0]!.viewport.state().scale > 1.1 * scale, start);
  await expectTogether(page);
  const touch = (type: string, apart: number) =>
    link.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      touchPoints: type === "touchEnd" ? [] : [-1, 1].map((way, id) => ({ x: x + way * apart, y, id })),
    });
  const zoomed = (await seen(page)).A.scale;
  await touch("touchStart", 60);
  for (let apart = 66; apart <= 120; apart += 6) await touch("touchMove", apart);
  await touch("touchEnd", 0);
  await page.waitForFunction(
    (scale) => window.__wavescope.comparison![0]!.viewport.state().scale > 1.3 * scale,
    zoomed,
  );
  await expectTogether(page);
});

test("the alignment fits every screen, light and dark, and is closed (RE10)", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.specimen, TURNED);
  await page.getByRole("button", { name: "Align automatically" }).click();
  await aligned(page);
  expect(await lookAt(page, "registering")).toEqual([]);
  for (const size of ["tablet", "phone"] as const) {
    await page.setViewportSize(SIZES[size]);
    await expectNothingSeriousInEither(page, `the automatic alignment on a ${size}`);
  }
  await page.getByRole("button", { name: "Close automatic alignment" }).click();
  await expect(panel(page)).toBeHidden();
});

test.describe("with annotations", () => {
  const own = sharedService();
  test("those of the other slide are shown where they lie here (RE10)", async ({ page, request }) => {
    const url = `${own.service.address}/api/v1/slides/${SLIDES.specimen}/annotations/registered`;
    const coordinates = [
      [
        [1300, 1000],
        [1600, 1000],
        [1600, 1300],
        [1300, 1300],
        [1300, 1000],
      ],
    ];
    const data = { kind: "rectangle", geometry: { type: "Polygon", coordinates } };
    expect((await request.put(url, { data, headers: { "if-none-match": "*" } })).ok()).toBe(true);
    await page.goto(`${own.service.address}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.specimen}${TURNED}`);
    await comparisonIsOpen(page);
    await page.getByRole("button", { name: "Align automatically" }).click();
    await aligned(page);
    await page.getByRole("checkbox", { name: "Annotations of the other slides" }).check({ timeout: 20_000 });
    await comparisonIdle(page);
    const shape = (await page.getByTestId("mapped-B").locator("path").first().boundingBox())!;
    const field = (await page.getByTestId("viewer-B").boundingBox())!;
    const corner = await page.evaluate(() => window.__wavescope.comparison![1]!.viewport.toCanvas(1300, 1000));
    expect(Math.abs(shape.x - field.x - corner.canvas_x)).toBeLessThan(6);
    expect(Math.abs(shape.y - field.y - corner.canvas_y)).toBeLessThan(6);
    await storePicture(page, "test-results/registering-annotations.png");
  });
});

test("sections that do not match say so, and the slides stay as they lie (RE5, RE10)", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.fiducial);
  const before = await seen(page);
  await page.keyboard.press("Shift+a");
  await expect(panel(page)).toContainText("The sections do not match", { timeout: 240_000 });
  await comparisonIdle(page);
  const after = await seen(page);
  for (const side of ["A", "B"] as const)
    for (const axis of [0, 1] as const)
      expect(centreOf(after[side])[axis]).toBeCloseTo(centreOf(before[side])[axis], 0);
  await page.getByRole("button", { name: "Close automatic alignment" }).click();
  await expect(panel(page)).toBeHidden();
});
