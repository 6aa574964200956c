// The view as a picture and as a link, to the clipboard.
import { PNG } from "pngjs";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("the view is copied as a picture with its scale bar, and as a link that shows the same", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), stain: { stain: 1 } }));
  const dialog = page.getByRole("dialog", { name: "Export a region" });
  await page.keyboard.press("Shift+E");
  await dialog.getByRole("button", { name: "Copy the view" }).click();
  await expect(page.getByText("The view was copied")).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await item!.getType("image/png");
    return [...new Uint8Array(await picture.arrayBuffer())];
  });
  const { width, height } = PNG.sync.read(Buffer.from(copied));
  const canvas = await page.getByTestId("viewer").boundingBox();
  expect([width, height]).toEqual([canvas!.width, canvas!.height + 44]);

  await page.keyboard.press("Shift+E");
  await dialog.getByRole("button", { name: "Copy link to this view" }).press("Enter");
  await expect(page.getByText("Link copied")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain("light=%7B%22stain%22%3A1%7D");
  expect(link).toBe(page.url());
});

test("on a phone the dialog has the camera, and axe finds nothing serious", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await openSlide(page, SLIDES.specimen);
  await page.getByRole("button", { name: "Export a region" }).tap();
  await expect(page.getByRole("button", { name: "Copy the view" })).toBeVisible();
  await expectNothingSerious(page, "camera");
  await page.screenshot({ path: test.info().outputPath("camera.png") });
  await page.getByRole("button", { name: "Save the view" }).tap();
  await expect(page.getByText(/The view was saved as/)).toBeVisible();
  await context.close();
});
