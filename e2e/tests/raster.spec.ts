// Rasters over a slide: each pixel has the colour of its value or label, a pointer and a finger tell it, and a dropped file becomes one.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { dragged } from "../harness/dropping.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { overlayArea, overlaysSettled } from "../harness/overlaying.ts";
import { addRaster, heatAt, labelAt, rasterFile } from "../harness/rastering.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
const [WIDTH, HEIGHT] = [1152, 896];
/** Pixels of the slide along one of a raster. */
const SIDE = 8;
const HEAT = "Tumour";
const LABELS = "Nuclei";
/** Device pixels from the edge of a pixel of the raster: one that is nearer may have the colour of the next one. */
const NEAR = 1.5;

test.beforeAll(() => {
  addRaster(own.service, SLIDES.large, LABELS, ["labels", WIDTH, HEIGHT], ["--content", "labels"]);
  addRaster(own.service, SLIDES.large, HEAT, ["heat", WIDTH, HEIGHT], ["--score", "Probability"]);
});

async function open(page: Page): Promise<void> {
  await openSlide(page, SLIDES.large, own.service.address);
  await overlaysSettled(page);
}

async function show(page: Page, l0_x: number, l0_y: number, scale: number): Promise<void> {
  const to = [l0_x, l0_y, scale] as [number, number, number];
  await page.evaluate(([l0_x, l0_y, scale]) => window.__wavescope.viewport.show({ l0_x, l0_y, scale }, true), to);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await overlaysSettled(page);
}

/** Where the middle of a pixel of the raster is on the page, in CSS pixels. */
async function onPage(page: Page, x: number, y: number): Promise<[number, number]> {
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const at = await page.evaluate(([x, y]) => window.__wavescope.overlays!.inViewer(x, y), [
    SIDE * (x + 0.5),
    SIDE * (y + 0.5),
  ] as [number, number]);
  return [viewer.x + at.x, viewer.y + at.y];
}

async function openPanel(page: Page): Promise<void> {
  await page.keyboard.press("v");
  await expect(page.getByTestId("overlays-panel")).toBeVisible();
  await overlaysSettled(page);
}

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly rgba: readonly number[];
}

/** What is drawn of pixels of the raster that are wholly in view: the picture at points well inside of them. */
async function drawnPixels(page: Page): Promise<readonly Drawn[]> {
  const { width, height, rgba, begin, scale } = await page.evaluate(() => {
    const { width, height, rgba } = window.__wavescope.overlays!.readPicture();
    const [first, second] = [window.__wavescope.viewport.toCanvas(0, 0), window.__wavescope.viewport.toCanvas(1000, 0)];
    const begin = [first.canvas_x, first.canvas_y] as const;
    return { width, height, rgba: [...rgba], begin, scale: (second.canvas_x - first.canvas_x) / 1000 };
  });
  const found: Drawn[] = [];
  for (let py = 3; py < height; py += 11)
    for (let px = 3; px < width; px += 11) {
      const [x, y] = [(px + 0.5 - begin[0]) / scale / SIDE, (py + 0.5 - begin[1]) / scale / SIDE];
      const isInside = [x, y].every((at) => Math.min(at % 1, 1 - (at % 1)) * SIDE * scale > NEAR);
      if (isInside && x > 0 && y > 0 && x < WIDTH && y < HEIGHT)
        found.push({
          x: Math.floor(x),
          y: Math.floor(y),
          rgba: rgba.slice(4 * (py * width + px), 4 * (py * width + px) + 4),
        });
    }
  return found;
}

test("OV69 OV70: each pixel in view has the colour of its own value, and none where it has none", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await open(page);
  await openPanel(page);
  await page.getByRole("combobox", { name: "Colour map" }).selectOption("Grey");
  await show(page, 120 * SIDE, 100 * SIDE, 1);
  const drawn = await drawnPixels(page);
  expect(drawn.length).toBeGreaterThan(500);
  expect(drawn.some(({ x, y }) => heatAt(x, y) === null)).toBe(true);
  const wrong = drawn.filter(({ x, y, rgba }) => {
    const value = heatAt(x, y);
    if (value === null) return rgba[3] !== 0;
    return rgba[3] === 0 || Math.abs(rgba[0]! - 255 * value) > 4; // the picture is read with its opacity of 60 %
  });
  expect(wrong).toEqual([]);
});

test("OV72: the pointer tells the value in the unit of the source, a click keeps it", async ({ page }) => {
  await open(page);
  await show(page, 500 * SIDE, 400 * SIDE, 2);
  await openPanel(page);
  const [x, y] = await onPage(page, 503, 402);
  await page.mouse.move(x - 5, y);
  await page.mouse.move(x, y);
  const value = Number(heatAt(503, 402)!.toPrecision(4));
  await expect(page.getByTestId("overlay-pointed")).toHaveText(`Probability ${value}`);
  await page.mouse.click(x, y);
  await expect(page.getByTestId("overlay-selected")).toContainText(`Probability ${value}`);
  await expect(page.getByTestId("overlay-selected").getByRole("button", { name: "Copy to annotations" })).toHaveCount(
    0,
  );
});

test("OV70 OV72: labels have colours of their own, and the pointer tells their number", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await open(page);
  await openPanel(page);
  await page.getByRole("button", { name: `Show ${HEAT}` }).click();
  await page.getByRole("button", { name: `Show ${LABELS}` }).click();
  await show(page, 300 * SIDE, 500 * SIDE, 0.8);
  const drawn = await drawnPixels(page);
  const colours = new Map<number, string>();
  for (const { x, y, rgba } of drawn) {
    const label = labelAt(x, y);
    const known = colours.get(label) ?? rgba.join();
    expect(rgba.join()).toBe(known);
    colours.set(label, known);
  }
  expect(colours.size).toBeGreaterThan(8);
  expect(new Set(colours.values()).size).toBe(colours.size);
  const [x, y] = await onPage(page, 300, 500);
  await page.mouse.move(x - 2, y);
  await page.mouse.move(x, y);
  await expect(page.getByTestId("overlay-pointed")).toHaveText(`Label ${labelAt(300, 500)}`);
});

test("OV46: the threshold hides what lies beyond it, by keys; nothing that axe calls serious", async ({ page }) => {
  await open(page);
  await openPanel(page);
  await show(page, 500 * SIDE, 400 * SIDE, 0.2);
  const area = (): Promise<number> => overlayArea(page);
  const all = await area();
  await expect(page.getByTestId("score-histogram")).toBeVisible();
  const from = page.getByRole("slider", { name: "Show from" });
  await from.focus();
  for (let i = 0; i < 30; i += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(area).toBeLessThan(all);
  await expect(page.getByTestId("overlay-score")).toContainText("Probability 0.12 to 1.00");
  await expectNothingSerious(page, "the panel of a raster");
});

test("OV63: a link shows a raster with its colour map, threshold and opacity", async ({ page }) => {
  await open(page);
  await page.keyboard.press("Shift+Y");
  await expect.poll(() => page.url()).toContain("overlays");
  const [, { id }] = (await page.evaluate(() => window.__wavescope.overlays!.state())) as [unknown, { id: string }];
  const light = { overlays: 1, [`overlay:${id}`]: [40, 20, 128, 255], [`overlay:${id}:score`]: [3, 0, 255] };
  const shown = page.url().replace(/light=[^&]*/, `light=${encodeURIComponent(JSON.stringify(light))}`);
  await page.goto("about:blank");
  await page.goto(shown);
  await expect(page.getByTestId("overlay-canvas")).toHaveCSS("opacity", "0.4");
  await page.keyboard.press("v");
  await expect(page.getByRole("combobox", { name: "Colour map" })).toHaveValue("grey");
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("OV72: a tap tells the value under it", async ({ page }) => {
    await open(page);
    await show(page, 500 * SIDE, 400 * SIDE, 2);
    await storePicture(page, test.info().outputPath("phone.png"));
    await page.touchscreen.tap(...(await onPage(page, 500, 400)));
    await expect(page.getByTestId("overlay-pointed")).toHaveText(
      `Probability ${Number(heatAt(500, 400)!.toPrecision(4))}`,
    );
    await storePicture(page, test.info().outputPath("phone-tapped.png"));
    await openPanel(page);
    await storePicture(page, test.info().outputPath("phone-panel.png"));
  });
});

/** The dialog that asks what a file dropped on the slide becomes. */
async function drop(page: Page, name: string, file: Buffer): Promise<Locator> {
  await page.dispatchEvent("body", "drop", { dataTransfer: await dragged(page, name, file) });
  return page.getByRole("dialog", { name: "Add overlay" });
}

test("OV54 OV66: a PNG that is dropped on the slide becomes a label mask over it, and undo takes it away", async ({
  page,
}) => {
  await open(page);
  await openPanel(page);
  const file = rasterFile("areas.png", "classes", WIDTH, HEIGHT);
  const dialog = await drop(page, "areas.png", file);
  await expect(dialog.getByLabel("Name")).toHaveValue("areas");
  await dialog.getByLabel("Import as").selectOption("Label mask");
  await expectNothingSerious(page, "adding a raster");
  await dialog.getByRole("button", { name: "Add" }).click();
  const card = page.getByTestId("overlay").filter({ hasText: "areas" });
  await expect(card).toContainText("Label mask · 1,152 × 896 pixels");
  await expect(page.getByText("a pixel is 8 pixels of the slide wide")).toBeVisible();
  await expect(card.getByTestId("overlay-class")).toHaveCount(3);
  await card.getByRole("button", { name: "Delete areas" }).click();
  await expect(card).toHaveCount(0);
});

test("OV54 OV62: of a ZIP that is dropped on the slide the named element becomes an overlay", async ({ page }) => {
  await open(page);
  await openPanel(page);
  const file = readFileSync(new URL("../../shared/vectors/overlays/spatial-data.zip", import.meta.url));
  const dialog = await drop(page, "data.zarr.zip", file);
  await expect(dialog.getByLabel("Name")).toHaveValue("data");
  await dialog.getByLabel("Part of the archive").fill("shapes/cells");
  await expectNothingSerious(page, "adding an archive");
  await dialog.getByRole("button", { name: "Add" }).click();
  const card = page.getByTestId("overlay").filter({ hasText: "data" });
  await expect(card).toContainText("30");
  await card.getByRole("button", { name: "Delete data" }).click();
  await expect(card).toHaveCount(0);
});
