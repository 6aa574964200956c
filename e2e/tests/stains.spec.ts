// Stain views: computed from the drawn pixels by integers, on the graphics processor and on the processor the same bytes.
import type { Page } from "@playwright/test";
import { type StainEntries, plain } from "../../frontend/viewer/src/light/adjustments.ts";
import { amountOf, applyStains, stainViewOf, tablesOf } from "../../frontend/viewer/src/light/stains.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, needs, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

const BOX = { x: 600, y: 300, width: 120, height: 90 };
const PAIR = { stain1: [560, 740, 372], stain2: [216, 848, 484] };
const VIEWS: readonly { readonly name: string; readonly entries: StainEntries }[] = [
  { name: "Haematoxylin", entries: { stain: 1 } },
  { name: "Eosin", entries: { stain: 2 } },
  { name: "DAB", entries: { stain: 3 } },
  { name: "Residual", entries: { stain: 3, ...PAIR } },
  { name: "Normalised", entries: { stain: 0, ...PAIR, stainTo1: [590, 700, 402, 140], stainTo2: [110, 930, 350, 88] } },
];

const look = (page: Page) =>
  page.evaluate(({ x, y, width, height }) => {
    const { readCanvas, readShown } = window.__wavescope;
    return { drawn: [...readCanvas(x, y, width, height).rgba], shown: [...readShown(x, y, width, height).rgba] };
  }, BOX);

const show = (page: Page, stain: StainEntries | null): Promise<void> =>
  page.evaluate((value) => window.__wavescope.light.set(value), { ...plain, stain });

/** Each view of what is drawn, byte for byte. */
async function expectExactViews(page: Page): Promise<void> {
  for (const { name, entries } of VIEWS) {
    await show(page, entries);
    await expect(page.getByTestId("light-badge")).toHaveText(name);
    const { drawn, shown } = await look(page);
    const expected = Uint8ClampedArray.from(drawn);
    applyStains(tablesOf(stainViewOf(entries)!, null), expected);
    expect(shown).toEqual([...expected]);
    expect(shown).not.toEqual(drawn);
  }
}

test.beforeEach(() => needs(SLIDES.region));

test("SN3 SN4 SN5 SN6 SN9: the graphics processor shows every byte of the arithmetic, and the canvas below keeps its pixels", async ({
  page,
}) => {
  await openSlide(page, SLIDES.region);
  const { drawn } = await look(page);
  await expectExactViews(page);
  expect((await look(page)).drawn).toEqual(drawn);
  await show(page, null);
  await expect(page.getByTestId("light-badge")).toHaveCount(0);
  expect((await look(page)).shown).toEqual(drawn);
});

test("SN3 SN4 SN5 SN6: without a graphics processor the processor shows the same bytes", async ({ page }) => {
  await page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: never[]) {
      return kind === "webgl2" ? null : (Reflect.apply(getContext, this, [kind, ...more]) as unknown);
    } as typeof getContext;
  });
  await openSlide(page, SLIDES.region);
  await expectExactViews(page);
  await page.keyboard.press("l");
  await expect(page.getByTestId("light-panel")).toHaveAttribute("data-filter", "cpu");
});

test("SN7: a stain is chosen by a click and by keys, named, and carried by a link; the pointer reads the densities", async ({
  page,
  context,
}) => {
  await openSlide(page, SLIDES.region);
  await page.getByRole("button", { name: "Image adjustments" }).click();
  const stains = page.getByTestId("stains");
  await stains.getByText("Eosin", { exact: true }).click();
  await expect(page.getByTestId("light-badge")).toHaveText("Eosin");
  await expect(page).toHaveURL(/light=%7B%22stain%22%3A2%7D$/);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("light-badge")).toHaveText("DAB");
  await expect(page).toHaveURL(/light=%7B%22stain%22%3A3%7D$/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByTestId("light-badge")).toHaveText("DAB");
  await other.close();

  await page.getByRole("switch", { name: "Values under the pointer in the status line" }).check();
  const box = (await page.getByTestId("viewer").boundingBox())!;
  const at = { x: Math.floor(box.width / 2), y: Math.floor(box.height / 2) };
  await page.mouse.move(box.x + at.x + 0.5, box.y + at.y + 0.5);
  await idle(page);
  const pixel = await page.evaluate(({ x, y }) => [...window.__wavescope.readCanvas(x, y, 1, 1).rgba], at);
  const tables = tablesOf(stainViewOf({ stain: 3 })!, null);
  const [red, green, blue] = pixel as [number, number, number];
  const read = ["Haematoxylin", "Eosin", "DAB"].map(
    (name, s) => `${name} ${(amountOf(tables, s, red, green, blue) / 4096).toFixed(2)}`,
  );
  await expect(page.getByTestId("pointer-position")).toContainText(read.join(" · "));
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Shift+L");
  await expect(page.getByTestId("light-badge")).toHaveCount(0);
});

test("SN8: vectors are estimated from the slide, and the slide is normalised to a reference", async ({ page }) => {
  await openSlide(page, SLIDES.region);
  await page.keyboard.press("l");
  const stains = page.getByTestId("stains");
  await stains.getByRole("button", { name: "Estimate from slide" }).press("Enter");
  await expect(page.getByTestId("stain-status")).toHaveText("Vectors estimated from this slide.");
  await expect(stains.getByText("Residual")).toBeVisible();
  const { stain } = await page.evaluate(() => window.__wavescope.light.read());
  const { alone, vectors } = stainViewOf(stain!)!;
  expect(alone).toBe(0);
  expect(vectors[0][0]).toBeGreaterThan(vectors[1][0]); // haematoxylin absorbs more red
  expect(vectors[1][1]).toBeGreaterThan(vectors[1][2]); // eosin absorbs green most
  await stains.getByRole("button", { name: "Use as reference" }).click();
  await stains.getByText(/^Normalise to /).click();
  await expect(page.getByTestId("light-badge")).toHaveText("Normalised");
  const itself = await page.evaluate(() => window.__wavescope.light.read().stain);
  expect(itself).toMatchObject({ stain: 0, stainTo1: [...vectors[0], 100], stainTo2: [...vectors[1], 100] });
  await stains.getByRole("button", { name: "Use standard vectors" }).click();
  await expect(page.getByTestId("light-badge")).toHaveText("Haematoxylin");
  await page.reload();
  await slideIsOpen(page);
  await expect(stains.getByText(/^Normalise to /)).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const)
  test(`on a phone a finger chooses a stain, and axe finds nothing serious: ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    });
    const page = await context.newPage();
    await openSlide(page, SLIDES.region);
    await page.getByRole("button", { name: "Image adjustments" }).tap();
    const stains = page.getByTestId("stains");
    await stains.getByText("Haematoxylin", { exact: true }).tap();
    await expect(page.getByTestId("light-badge")).toHaveText("Haematoxylin");
    const heights = await stains
      .locator("label, button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await expectNothingSerious(page, `stains, ${colorScheme}`);
    await page.screenshot({ path: test.info().outputPath(`stains-${colorScheme}.png`) });
    await context.close();
  });
