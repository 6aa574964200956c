// A receipt of what was shown: its page, its file, and what the command says of it (PF8 to PF12 of shared/spec/proof.md).
import { createHash } from "node:crypto";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, lookAt } from "../harness/looks.ts";
import { idle, openSlide } from "../harness/microscope.ts";
import { type Saved, checked, receipt, saveReceipt, takeReceipt } from "../harness/receipts.ts";
import { sharedService } from "../harness/sharedService.ts";
import { smallTargets } from "../harness/targets.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: SIZES.laptop });

const own = sharedService();
const check = (saved: Saved, slide: string, code = 0): string => checked(saved, own.service.store, [slide], code);

test("at 1:1 the hash of the screen is that of the stored pixels, and the command says so (PF8, PF10, PF12)", async ({
  page,
}) => {
  const { service } = own;
  await openSlide(page, SLIDES.specimen, service.address);
  const placed = await page.evaluate(() => window.__wavescope.viewport.goTo(400, 300, 1));
  await idle(page);
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("The screen shows exactly the stored pixels.");
  const saved = await saveReceipt(page);
  const { view, canvas, exact, sha256, adjustments, account, picture } = saved.content;
  expect(view).toMatchObject({
    level: 1,
    x: placed.ln_x,
    y: placed.ln_y,
    scale: 1,
    rotation: 0,
    flip: false,
    plane: 1,
  });
  expect({ exact, adjustments, account }).toEqual({ exact: true, adjustments: null, account: null });
  expect(sha256.canvas).toBe(sha256.level);
  expect(picture).toMatch(/^data:image\/png;base64,/);
  const shown = await page.evaluate(({ x, y, width, height }) => {
    return [...window.__wavescope.readCanvas(x, y, width, height).rgba].filter((_, i) => i % 4 !== 3);
  }, canvas);
  expect(createHash("sha256").update(Buffer.from(shown)).digest("hex")).toBe(sha256.canvas);
  for (const slide of [SLIDES.specimen, `${service.address}/slides/${SLIDES.specimen}`]) {
    const said = check(saved, slide);
    expect(said).toContain("the stored pixels have the sum of the receipt");
    expect(said).toContain("the screen showed exactly these pixels");
  }
});

test("enlarged pixels are the stored ones repeated (PF10)", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address, "#x=1400&y=1100&scale=3");
  await idle(page);
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("each as 3 × 3");
  expect(check(await saveReceipt(page), SLIDES.specimen)).toContain("exactly these pixels, each as 3 x 3");
});

test("a receipt says what was adjusted, turned and coarse (PF9, PF10)", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address, "#x=1400&y=1100&scale=0.7&rotation=30");
  await idle(page);
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), gamma: 1.5 }));
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("Gamma 1.5");
  await expect(receipt(page)).toContainText("Rotated by 30°");
  const adjusted = await saveReceipt(page);
  expect(adjusted.content).toMatchObject({ exact: false, adjustments: { gamma: 1.5 }, view: { rotation: 30 } });
  const said = check(adjusted, SLIDES.specimen);
  expect(said).toContain("the stored pixels have the sum of the receipt");
  expect(said).toContain("the picture was scaled, turned, adjusted");

  await page.evaluate(() => window.__wavescope.limitLayers(1));
  await idle(page);
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("Not complete");
  const coarse = await saveReceipt(page);
  expect(coarse.content.fidelity).toMatchObject({ fewest_layers: 1 });
  expect(check(coarse, SLIDES.specimen)).toContain("were still coarse");
});

test("the receipt is read before it is saved, on every screen and in either scheme (PF9)", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await idle(page);
  await takeReceipt(page);
  await expectNothingSeriousInEither(page, "receipt");
  expect(await lookAt(page, "receipt")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(receipt(page)).toBeHidden();
  await expect(page.getByTestId("viewer")).toBeFocused();
  await page.getByTestId("panel-rail").getByRole("button", { name: "Slide information" }).click();
  await page.getByRole("button", { name: "Receipt of this view" }).click();
  await expect(receipt(page)).toBeVisible();
});

test.describe("on a phone, in German", () => {
  test.use({ locale: "de-DE", viewport: SIZES.phone, hasTouch: true });

  test("the receipt comes from the menu of the picture (PF9)", async ({ page }) => {
    await openSlide(page, SLIDES.specimen, own.service.address);
    await idle(page);
    await page.getByTestId("viewer").click({ button: "right", position: { x: 150, y: 300 } });
    await page.getByRole("menuitem", { name: "Beleg dieser Ansicht" }).click();
    await expect(receipt(page)).toContainText("Vollständig");
    expect(await smallTargets(page)).toEqual([]);
    expect(await lookAt(page, "receipt-german")).toEqual([]);
  });
});
