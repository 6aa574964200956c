// Slides whose files state no scale: named as such, calibrated by value or by a line of known length, undone.
import { type Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { onScreen } from "../harness/annotating.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";

test.use({ viewport: { width: 1366, height: 768 } });

const own = sharedService();
const BARE = SLIDES.fiducial; // made of a plain picture

interface Scale {
  readonly mpp: { readonly x: number } | null;
  readonly scale: { readonly origin: string; readonly line: { readonly length_um: number } | null } | null;
}

const stored = (): Promise<Scale> => own.service.json<Scale>(`/api/v1/slides/${BARE}`);

async function calibrate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Slide information" }).click();
  await page.getByRole("button", { name: "Calibrate", exact: true }).click();
}

test.beforeEach(async ({ page }) => {
  if ((await stored()).mpp)
    await fetch(`${own.service.address}/api/v1/slides/${BARE}/calibration`, { method: "DELETE" });
  await openSlide(page, BARE, own.service.address, "#x=2000&y=1500&scale=0.5");
});

test("a slide without a scale says so, and has one as soon as its value is entered, until it is undone", async ({
  page,
}) => {
  const mark = page.getByTestId("scale-mark");
  await expect(mark).toContainText("no scale");
  await expect(mark).toContainText("px");
  await expect(page.getByTestId("turret")).toBeHidden();
  await calibrate(page);
  await page.getByLabel("Pixel size, µm").fill("0.0004");
  await expect(page.getByTestId("calibration").getByRole("alert")).toHaveText(
    "A pixel is 0.001 to 10,000 µm wide. Check the number and its unit.",
  );
  await expect(page.getByRole("button", { name: "Save scale" })).toBeDisabled();
  await page.getByLabel("Pixel size, µm").fill("1.3");
  await expect(page.getByTestId("calibration")).toContainText("1.3 µm/px (about 7.7× equivalent)");
  await page.getByRole("button", { name: "Save scale" }).click();
  await expect(page.getByTestId("turret")).toBeVisible();
  await slideIsOpen(page);
  await expect(mark).not.toContainText("no scale");
  await expect(mark).toContainText("µm");
  await expect(page.getByRole("banner")).toContainText("1.3 µm/px (about 7.7× equivalent)");
  const viewLink = () => page.evaluate(() => window.__wavescope.viewport.viewLink());
  // Where it was, also when the panel comes back with the slide.
  await expect
    .poll(async () =>
      (({ l0_x, l0_y, scale }) => [Math.round(l0_x), Math.round(l0_y), Number(scale.toFixed(6))])(await viewLink()),
    )
    .toEqual([2000, 1500, 0.5]); // the panel lies over what was looked at
  await page.getByRole("button", { name: "Objective 5×" }).click();
  await expect(page.getByTestId("magnification")).toHaveText("5×");
  await expect(page.getByRole("button", { name: "Objective 5×" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("information-panel")).toContainText("entered by");
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(mark).toContainText("no scale");
  expect(await stored()).toMatchObject({ mpp: null, scale: null });
});

test("a line drawn along a known length gives the scale, which can be removed again", async ({ page }) => {
  await calibrate(page);
  await page.getByText("By known length").click();
  for (const [x, y] of [
    [1700, 1400],
    [2100, 1700],
  ] as const) {
    const at = await onScreen(page, x, y);
    await page.mouse.click(at.x, at.y);
  }
  await expect(page.getByTestId("calibration")).toContainText(/Line of (49\d|50\d) pixels/);
  await expect(page.getByTestId("calibration-line").locator("line")).toBeVisible();
  await page.getByLabel("Length", { exact: true }).fill("1");
  await page.getByText("mm", { exact: true }).click();
  await page.getByRole("button", { name: "Save scale" }).click();
  await expect(page.getByTestId("turret")).toBeVisible();
  const { mpp, scale } = await stored();
  expect(Math.abs(mpp!.x - 2)).toBeLessThan(0.02);
  expect(scale).toMatchObject({ origin: "entered", line: { length_um: 1000 } });
  await page.getByRole("button", { name: "Remove scale" }).click();
  await expect(page.getByTestId("scale-mark")).toContainText("no scale");
  expect((await stored()).mpp).toBeNull();
});

test("a slide whose file states its scale offers no other", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.getByRole("button", { name: "Slide information" }).click();
  await expect(page.getByTestId("information-panel")).toContainText("stated by the file");
  await expect(page.getByRole("button", { name: "Calibrate" })).toHaveCount(0);
});
