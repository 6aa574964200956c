// Receipts of channels, compared slides, exported slides and files of this computer (PF13 to PF15 of shared/spec/proof.md).
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { ComparisonReceipt } from "../../frontend/viewer/src/compare/receipt.ts";
import { comparisonIsOpen } from "../harness/comparison.ts";
import { dropFile } from "../harness/exports.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, lookAt } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { checked, receipt, saveReceipt, takeReceipt } from "../harness/receipts.ts";
import { DATA, ROOT, realSlide, temporaryFolder, wavescope } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { MINERVA_FILE } from "../harness/slides.ts";
import { smallTargets } from "../harness/targets.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: SIZES.laptop });

const own = sharedService();
const VECTORS = join(ROOT, "shared/vectors/local");

/** What is asked of a service after a page was opened. */
function asked(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (one) => requests.push(one.url()));
  return requests;
}

test("a receipt of channels has the mix, and the hash of what it makes of the stored samples (PF13)", async ({
  page,
}) => {
  const { service } = own;
  wavescope(service.store, ["ingest", "specimen:900x700?seed=4&channels=8", "--id", "mixed", "--quality", "0.3sigma"]);
  const mix = "channels=1:FF8000:200-3000:80,6:00FFFF:100-900:100";
  await openSlide(page, "mixed", service.address, `#x=450&y=350&scale=2&${mix}`);
  await idle(page);
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("the stored channels, mixed as the receipt says, each pixel as 2 × 2");
  await expect(receipt(page)).toContainText("(#FF8000, 200 to 3,000, gamma 0.8)");
  expect(await lookAt(page, "receipt-channels")).toEqual([]);
  const saved = await saveReceipt(page);
  const { channels, adjustments, exact } = saved.content;
  expect(channels!.map(({ name: _, ...one }) => one)).toEqual([
    { c: 1, colour: "FF8000", low: 200, high: 3000, gamma: 80 },
    { c: 6, colour: "00FFFF", low: 100, high: 900, gamma: 100 },
  ]);
  expect({ adjustments, exact }).toEqual({ adjustments: null, exact: true });
  for (const slides of [["mixed"], [`${service.address}/slides/mixed`], []]) {
    const said = checked(saved, service.store, slides);
    expect(said).toContain("the stored pixels have the sum of the receipt");
    expect(said).toContain("exactly these pixels, each as 2 x 2");
    expect(said).toContain("#FF8000, 200 to 3000, gamma 0.8");
  }
});

test("compared slides have one receipt, which says which of them lies where (PF14)", async ({ page }) => {
  const { service } = own;
  const address = `${service.address}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.planes}`;
  await page.goto(`${address}#a.x=1400&a.y=1100&a.scale=1&b.x=900&b.y=700&b.scale=1`);
  await comparisonIsOpen(page);
  await page.getByTestId("viewer-A").focus();
  await takeReceipt(page);
  await expect(receipt(page).getByText("The screen shows exactly the stored pixels.")).toHaveCount(2);
  expect(await lookAt(page, "receipt-comparison")).toEqual([]);
  const saved = await saveReceipt<ComparisonReceipt>(page);
  const { panes, mode, swipe } = saved.content;
  expect(panes.map(({ pane, slide }) => [pane, "id" in slide && slide.id])).toEqual([
    ["A", SLIDES.specimen],
    ["B", SLIDES.planes],
  ]);
  expect(panes[0]!.place.left + panes[0]!.place.width).toBeCloseTo(panes[1]!.place.left, 0);
  expect({ mode, swipe }).toEqual({ mode: "side", swipe: null });
  for (const slides of [[SLIDES.specimen, SLIDES.planes], [address], []]) {
    const said = checked(saved, service.store, slides);
    expect(said.match(/the screen showed exactly these pixels/g)).toHaveLength(2);
  }
  expect(checked(saved, service.store, [SLIDES.planes, SLIDES.specimen], 1)).toContain("A: DOES NOT HOLD");
});

test("of slides that are blended no screen follows from one of them (PF14)", async ({ page }) => {
  const { service } = own;
  const swiped = `?slide=${SLIDES.specimen}&slide=${SLIDES.specimen}&mode=swipe`;
  await page.goto(`${service.address}/compare${swiped}#divider=0.25&blend=0.5&a.x=1400&a.y=1100&a.scale=1`);
  await comparisonIsOpen(page);
  await page.getByRole("button", { name: "Receipt of this view" }).click();
  await expect(receipt(page)).toContainText("B over A, from 25% of the width to the right edge, with 50% opacity");
  await expect(receipt(page).getByText("The picture is blended with another slide.")).toHaveCount(2);
  const saved = await saveReceipt<ComparisonReceipt>(page);
  expect(saved.content.panes.map(({ exact }) => exact)).toEqual([false, false]);
  expect(checked(saved, service.store, [])).toContain(
    "B: the pixels of the screen cannot be calculated again: the picture was",
  );
});

test("an exported slide has the receipts of its version, and no service is asked (PF15)", async ({ page }) => {
  const { service } = own;
  const folder = temporaryFolder();
  const [file, exported] = [join(folder, "slide.wsz"), join(folder, "exported")];
  for (const target of [file, exported]) wavescope(service.store, ["export", SLIDES.specimen, target, "--no-page"]);
  await page.goto(`${service.address}/exported`);
  await page.getByTestId("exported-start").waitFor();
  await dropFile(page, file);
  await slideIsOpen(page);
  await page.evaluate(() => window.__wavescope.viewport.goTo(400, 300, 1));
  await idle(page);
  const requests = asked(page);
  await takeReceipt(page);
  await expect(receipt(page)).toContainText("The screen shows exactly the stored pixels.");
  const saved = await saveReceipt(page);
  expect(requests.filter((url) => url.includes("/api/"))).toEqual([]);
  for (const slide of [file, exported, SLIDES.specimen, `${service.address}/slides/${SLIDES.specimen}`])
    expect(checked(saved, service.store, [slide])).toContain("the screen showed exactly these pixels");
  await page.keyboard.press("Escape");
  await page.getByTestId("panel-rail").getByRole("button", { name: "Slide information" }).click();
  await page.getByRole("button", { name: "Receipt of this view" }).click();
  await expect(receipt(page)).toBeVisible();
});

async function openFile(page: Page, path: string): Promise<void> {
  await page.goto(own.service.address);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Look at it now" }).first().click(),
  ]);
  await chooser.setFiles(path);
  await slideIsOpen(page);
}

test("a file of this computer has a receipt with its hash and without its name (PF15, LI9)", async ({ page }) => {
  const file = join(VECTORS, "jpeg-ycbcr.tif");
  await openFile(page, file);
  const requests = asked(page);
  for (const level of [0, 1]) {
    await page.evaluate((one) => window.__wavescope.viewport.goTo(0, 0, one), level);
    await idle(page);
    await takeReceipt(page);
    await expect(receipt(page)).toContainText("The screen shows exactly the stored pixels.");
    await expect(receipt(page)).toContainText("A file of this computer");
    const saved = await saveReceipt(page);
    expect(JSON.stringify(saved.content)).not.toContain("jpeg-ycbcr");
    expect(saved.content.view.level).toBe(level);
    expect(checked(saved, own.service.store, [file])).toContain("the screen showed exactly these pixels");
    expect(checked(saved, own.service.store, [join(VECTORS, "aperio-jpeg2000.svs")], 1)).toContain(
      "the file has not the sum",
    );
    expect(wavescope(own.service.store, ["prove", SLIDES.specimen, "--check", saved.path], 2).stderr).toContain(
      "the file",
    );
  }
  expect(requests.filter((url) => url.includes("/api/"))).toEqual([]);
});

test("the receipts of a real file hold at every level that it has, and between them (PF15, LI6)", async ({ page }) => {
  test.skip(!realSlide(MINERVA_FILE), `no test data: ${MINERVA_FILE} is not in ${DATA}`);
  const file = realSlide(MINERVA_FILE)!;
  await openFile(page, file);
  for (const level of [0, 1, 2, 3, 5]) {
    await page.evaluate((one) => window.__wavescope.viewport.goTo(3000, 2500, one), level);
    await idle(page);
    await takeReceipt(page);
    expect(checked(await saveReceipt(page), own.service.store, [file])).toContain(
      "the screen showed exactly these pixels",
    );
  }
});

test.describe("on a phone, in German", () => {
  test.use({ locale: "de-DE", viewport: SIZES.phone, hasTouch: true });

  test("the receipt of compared slides is read before it is saved (PF14)", async ({ page }) => {
    await page.goto(`${own.service.address}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.planes}`);
    await comparisonIsOpen(page);
    await page.getByRole("button", { name: "Beleg dieser Ansicht" }).click();
    await expect(receipt(page)).toContainText(
      "Die Pixel auf dem Bildschirm sind nicht die gespeicherten. Das Bild ist skaliert",
    );
    expect(await smallTargets(page)).toEqual([]);
    expect(await lookAt(page, "receipt-comparison-german")).toEqual([]);
  });
});
