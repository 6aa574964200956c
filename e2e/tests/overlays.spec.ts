// Overlays of a specimen's true cells: what is drawn lies where they are, counts are exact, and a pointer, a finger and keys find them.
import type { Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import {
  type Cell,
  addOverlay,
  boxOf,
  distanceTo,
  isInside,
  overlayArea,
  overlaysSettled,
  trueCells,
} from "../harness/overlaying.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
const SPECIMEN = "specimen:9216x7168x2?seed=5";
const NAME = "True cells";
/** Device pixels: one that is nearer to an outline may be drawn or not. */
const NEAR = 2;
/** Every so many pixels one is compared. */
const STEP = 5;

type Box = ReturnType<typeof boxOf>;
let cells: readonly Cell[] = [];
let boxes: readonly Box[] = [];

test.beforeAll(() => {
  test.setTimeout(180_000); // reads and writes 13,000 cells
  const truth = trueCells(SPECIMEN);
  cells = truth.cells;
  boxes = cells.map(({ ring }) => boxOf(ring));
  addOverlay(own.service, SLIDES.large, NAME, truth.geojson);
});

async function open(page: Page): Promise<void> {
  await openSlide(page, SLIDES.large, own.service.address);
  await overlaysSettled(page);
}

const show = async (page: Page, l0_x: number, l0_y: number, scale: number): Promise<void> => {
  await page.evaluate(([l0_x, l0_y, scale]) => window.__wavescope.viewport.show({ l0_x, l0_y, scale }, true), [
    l0_x,
    l0_y,
    scale,
  ] as [number, number, number]);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await overlaysSettled(page);
};

const middleOf = ({ ring }: Cell): [number, number] => {
  const { minX, minY, maxX, maxY } = boxOf(ring);
  return [(minX + maxX) / 2, (minY + maxY) / 2];
};

/** A lymphocyte that no other cell touches. */
function alone(): Cell {
  const found = cells.findIndex(({ of }, i) => {
    const own = boxes[i]!;
    const isFar = (other: Box, j: number): boolean => j === i || !meets(other, own, 4);
    return of === "lymphocyte" && own.minX > 1000 && boxes.every(isFar);
  });
  return cells[found]!;
}

const meets = (a: Box, b: Box, reach: number): boolean =>
  a.maxX > b.minX - reach && a.minX < b.maxX + reach && a.maxY > b.minY - reach && a.minY < b.maxY + reach;

/** Where a level-0 point is on the page, in CSS pixels. */
async function onPage(page: Page, [x, y]: readonly [number, number]): Promise<[number, number]> {
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const at = await page.evaluate(([x, y]) => window.__wavescope.overlays!.inViewer(x, y), [x, y] as [number, number]);
  return [viewer.x + at.x, viewer.y + at.y];
}

const detail = (page: Page) => page.evaluate(() => window.__wavescope.overlays!.state()[0]!.detail);
const openPanel = async (page: Page): Promise<void> => {
  await page.keyboard.press("v");
  await expect(page.getByTestId("overlays-panel")).toBeVisible();
  await overlaysSettled(page);
};

for (const painter of ["canvas", "webgl"] as const)
  test(`OV45 OV48: the outlines that are drawn by ${painter} are those of the true cells`, async ({ page }) => {
    test.slow(); // WebGL is drawn by the processor
    await page.setViewportSize({ width: 800, height: 600 });
    await open(page);
    await show(page, ...middleOf(alone()), 1);
    await page.evaluate((choice) => window.__wavescope.overlays!.choosePainter(choice), painter);
    await overlaysSettled(page);
    const { drawn, picture, begin } = await page.evaluate(() => {
      const { width, height, rgba } = window.__wavescope.overlays!.readPicture();
      const { canvas_x, canvas_y } = window.__wavescope.viewport.toCanvas(0, 0);
      const alpha = Array.from({ length: width * height }, (_, i) => rgba[4 * i + 3]!);
      return {
        drawn: window.__wavescope.overlays!.state()[0]!,
        picture: { width, height, alpha },
        begin: [canvas_x, canvas_y],
      };
    });
    expect(drawn).toMatchObject({ painter, detail: "outlines" });
    const view = {
      minX: -begin[0]!,
      minY: -begin[1]!,
      maxX: picture.width - begin[0]!,
      maxY: picture.height - begin[1]!,
    };
    const near = cells.flatMap((cell, i) => (meets(boxes[i]!, view, 9) ? { ring: cell.ring, box: boxes[i]! } : []));
    expect(near.length).toBeGreaterThan(50);
    let inside = 0;
    const wrong: (readonly [number, number])[] = [];
    for (let y = 2; y < picture.height; y += STEP)
      for (let x = 2; x < picture.width; x += STEP) {
        const at = [x + 0.5 - begin[0]!, y + 0.5 - begin[1]!] as const;
        const point = { minX: at[0], minY: at[1], maxX: at[0], maxY: at[1] };
        const reach = near.filter(({ box }) => meets(box, point, 9));
        if (reach.some(({ ring }) => distanceTo(ring, ...at) < NEAR)) continue;
        const isCell = reach.some(({ ring }) => isInside(ring, ...at));
        inside += Number(isCell);
        if (picture.alpha[y * picture.width + x]! > 0 !== isCell) wrong.push(at);
      }
    expect(wrong).toEqual([]);
    expect(inside).toBeGreaterThan(500);
  });

test("OV50 OV52: pointer and click tell class, score and area; the object becomes an annotation", async ({ page }) => {
  await open(page);
  const cell = alone();
  await show(page, ...middleOf(cell), 2);
  await openPanel(page);
  const [x, y] = await onPage(page, middleOf(cell));
  await page.mouse.move(x - 3, y);
  await page.mouse.move(x, y);
  const pointed = page.getByTestId("overlay-pointed");
  await expect(pointed).toContainText("lymphocyte");
  await expect(pointed).toContainText(`Probability ${(Math.round(cell.score * 255) / 255).toFixed(2)}`);
  await page.mouse.click(x, y);
  const selected = page.getByTestId("overlay-selected");
  await expect(selected).toContainText(/Area \d/);
  await selected.getByRole("button", { name: "Copy to annotations" }).click();
  const list = await page.evaluate(() => window.__wavescope.annotations.list());
  expect(list).toHaveLength(1);
  expect(list[0]).toMatchObject({ class: "lymphocyte", kind: "polygon" });
  const corners = list[0]!.parts[0]!;
  for (let i = 0; i < corners.length; i += 2)
    expect(distanceTo(cell.ring, corners[i]!, corners[i + 1]!)).toBeLessThanOrEqual(0.25);
  await page.keyboard.press("Control+z");
});

test("OV53: the buttons go through the objects in view by their score", async ({ page }) => {
  await open(page);
  await show(page, ...middleOf(alone()), 2);
  await openPanel(page);
  const higher = page.getByRole("button", { name: "Higher score" });
  const score = async (): Promise<number> => {
    const [, label] = await page.getByTestId("overlay-selected").locator("p").allTextContents();
    return Number(label!.replace("Probability ", ""));
  };
  await higher.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("overlay-selected")).toBeVisible();
  const least = await score();
  await page.keyboard.press("Enter");
  await expect.poll(score).toBeGreaterThanOrEqual(least);
});

test("OV51: a region counts the objects whose middle it contains, with density and mean score", async ({ page }) => {
  await open(page);
  const [middleX, middleY] = middleOf(alone());
  await show(page, middleX, middleY, 1);
  await openPanel(page);
  await page.getByRole("button", { name: "Box", exact: true }).click();
  const half = 150;
  const [fromX, fromY] = await onPage(page, [middleX - half, middleY - half]);
  const [toX, toY] = await onPage(page, [middleX + half, middleY + half]);
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, toY, { steps: 4 });
  await page.mouse.move(toX, toY, { steps: 4 });
  await page.mouse.up();
  const inBox = cells.filter((cell) => middleOf(cell).every((at, i) => Math.abs(at - [middleX, middleY][i]!) < half));
  const total = page.getByTestId("region-count").getByRole("row").last();
  await expect(total).toContainText("Total");
  const count = Number((await total.getByRole("cell").nth(1).textContent())!.replace(",", ""));
  expect(Math.abs(count - inBox.length)).toBeLessThanOrEqual(2); // of middles on the border
  expect(count).toBeGreaterThan(3);
  await expect(total.getByRole("cell").nth(2)).toContainText("per mm²");
  const mean = inBox.reduce((sum, { score }) => sum + score, 0) / inBox.length;
  expect(Number(await total.getByRole("cell").nth(3).textContent())).toBeCloseTo(mean, 1);
});

test("OV41 OV43: where cells are too small to be seen, squares have their exact counts", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 1100 }); // the panel takes the lower half
  await open(page);
  await openPanel(page);
  await show(page, 4608, 3584, 0.055);
  expect(await detail(page)).toBe("counts");
  await page.getByRole("button", { name: "Whole view" }).click();
  const rows = page.getByTestId("region-count").getByRole("row");
  await expect(rows.last().getByRole("cell").nth(1)).toHaveText(cells.length.toLocaleString("en"));
  for (const of of new Set(cells.map((cell) => cell.of)))
    await expect(rows.filter({ hasText: of }).getByRole("cell").nth(1)).toHaveText(
      cells.filter((cell) => cell.of === of).length.toLocaleString("en"),
    );
});

test("OV46 OV47: eyes, threshold and colours by keys; nothing that axe calls serious", async ({ page }) => {
  await open(page);
  await show(page, ...middleOf(alone()), 1);
  await openPanel(page);
  const area = (): Promise<number> => overlayArea(page);
  const all = await area();
  const eye = page.getByRole("button", { name: "Show class epithelial" });
  await eye.focus();
  await page.keyboard.press("Enter");
  await expect(eye).toHaveAttribute("aria-pressed", "false");
  await overlaysSettled(page);
  const fewer = await area();
  expect(fewer).toBeLessThan(all);
  await page.getByRole("slider", { name: "Show to" }).focus();
  for (let i = 0; i < 20; i += 1) await page.keyboard.press("ArrowLeft");
  await expect.poll(area).toBeLessThan(fewer);
  await page.getByText("Probability", { exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Colour map" })).toBeVisible();
  await expectNothingSerious(page, "the panel of overlays");
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Shift+Y");
  await expect.poll(area).toBe(0);
  await page.keyboard.press("Shift+Y");
  await expect.poll(area).toBeGreaterThan(0);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  test("OV50: a tap selects the object under it", async ({ page }) => {
    await open(page);
    const cell = alone();
    await show(page, ...middleOf(cell), 2);
    await openPanel(page);
    await page.touchscreen.tap(...(await onPage(page, middleOf(cell))));
    await expect(page.getByTestId("overlay-selected")).toContainText("lymphocyte");
  });
});

test("OV33: the panel has all objects as files of other software", async ({ page }) => {
  await open(page);
  await openPanel(page);
  const links = page.getByRole("group", { name: "Download all objects as" }).getByRole("link");
  await expect(links).toHaveText(["GeoJSON", "CSV", "GeoParquet", "DICOM annotations"]);
  const begins = ['{"type":"FeatureCollection"', "x,y,width,height", "PAR1"];
  for (const [i, begin] of begins.entries()) {
    const answer = await page.request.get(own.service.address + (await links.nth(i).getAttribute("href"))!);
    expect(answer.status()).toBe(200);
    expect((await answer.body()).subarray(0, begin.length).toString()).toBe(begin);
  }
});

test("OV31: an overlay that is deleted comes back by undo", async ({ page }) => {
  await open(page);
  await openPanel(page);
  await page.getByRole("button", { name: `Delete ${NAME}` }).click();
  await expect(page.getByTestId("overlay")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("overlay")).toHaveCount(1);
  await overlaysSettled(page);
});

test("a link shows the overlays of the view, and one that is gone is said (OV63, OV64)", async ({ page }) => {
  await open(page);
  await page.keyboard.press("Shift+Y");
  await expect.poll(() => page.evaluate(() => window.__wavescope.overlays!.state()[0]!.visible)).toBe(false);
  await expect.poll(() => page.url()).toContain("overlays");
  const { id } = await page.evaluate(() => window.__wavescope.overlays!.state()[0]!);
  const hidden = new URL(page.url());
  await page.goto("about:blank");
  await page.goto(hidden.href);
  await expect.poll(() => page.evaluate(() => window.__wavescope.overlays?.state()[0]?.visible)).toBe(false);

  const light = { overlays: 1, [`overlay:${id}`]: [50, 20, 0, 255], "overlay:gone": [100, 20, 0, 255] };
  const shown = hidden.hash.replace(/light=[^&]*/, `light=${encodeURIComponent(JSON.stringify(light))}`);
  await page.goto("about:blank");
  await page.goto(hidden.href.replace(hidden.hash, shown));
  await expect(page.getByTestId("overlay-canvas")).toHaveCSS("opacity", "0.5");
  await page.keyboard.press("v");
  await expect(page.getByTestId("overlays-panel").getByRole("status")).toContainText("1 overlay of this view");
});

test("a compared slide shows the overlays of its view (OV63)", async ({ page }) => {
  await open(page);
  const { id } = await page.evaluate(() => window.__wavescope.overlays!.state()[0]!);
  const light = encodeURIComponent(JSON.stringify({ overlays: 1, [`overlay:${id}`]: [50, 20, 0, 255] }));
  await page.goto("about:blank");
  await page.goto(
    `${own.service.address}/compare?slide=${SLIDES.large}&slide=${SLIDES.large}#a.x=3000&a.y=3000&a.scale=0.1&a.light=${light}`,
  );
  await expect(page.getByTestId("viewer-A").getByTestId("overlay-canvas")).toHaveCSS("opacity", "0.5");
  await expect(page.getByTestId("viewer-B").getByTestId("overlay-canvas")).toHaveCount(0);
});
