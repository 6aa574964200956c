// Overlays of a specimen's true cells: what is drawn is where they are, counts are exact, and a pointer, a finger and keys find them.
import type { Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { type Cell, addOverlay, boxOf, distanceTo, isInside, overlaysSettled, trueCells } from "../harness/overlaying.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
const SPECIMEN = "specimen:9216x7168x2?seed=5";
const NAME = "True cells";
const CLASSES = ["lymphocyte", "epithelial", "fibroblast"];
/** Device pixels: a pixel nearer to an outline may be drawn or not. */
const NEAR = 2;
const COLORS: Readonly<Record<string, readonly [number, number, number]>> = {};

let cells: readonly Cell[] = [];

test.beforeAll(async () => {
  const truth = trueCells(SPECIMEN);
  cells = truth.cells;
  await addOverlay(own.service, SLIDES.large, NAME, truth.geojson);
});

async function open(page: Page): Promise<void> {
  await openSlide(page, SLIDES.large, own.service.address);
  await overlaysSettled(page);
}

/** Shows a field in which there are many cells, at 1:1. */
async function showCells(page: Page): Promise<Cell> {
  const cell = crowded();
  const { minX, minY } = boxOf(cell.ring);
  await page.evaluate(([x, y]) => window.__wavescope.viewport.show({ l0_x: x, l0_y: y, scale: 1 }, true), [minX, minY]);
  await overlaysSettled(page);
  return cell;
}

/** A cell with as many others around it as any. */
function crowded(): Cell {
  const counts = new Map<string, number>();
  const squareOf = (cell: Cell): string => boxNumbers(cell).join();
  for (const cell of cells) counts.set(squareOf(cell), (counts.get(squareOf(cell)) ?? 0) + 1);
  const [square] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
  return cells.find((cell) => squareOf(cell) === square)!;
}
const boxNumbers = ({ ring }: Cell): number[] => ring[0]!.map((value) => Math.floor(value / 512));

test("a", async ({ page }) => {
  await open(page);
  console.log(await page.evaluate(() => window.__wavescope.overlays!.state()));
  await page.screenshot({ path: "/tmp/h/ov1.png" });
  await showCells(page);
  console.log(await page.evaluate(() => window.__wavescope.overlays!.state()));
  await page.keyboard.press("v");
  await expect(page.getByTestId("overlays-panel")).toBeVisible();
  await page.waitForTimeout(500);
  await overlaysSettled(page);
  await page.screenshot({ path: "/tmp/h/ov2.png" });
  await page.evaluate(() => window.__wavescope.overlays!.choosePainter("webgl"));
  await overlaysSettled(page);
  console.log(await page.evaluate(() => window.__wavescope.overlays!.state()));
  await page.screenshot({ path: "/tmp/h/ov3.png" });
  await page.evaluate(() => window.__wavescope.viewport.show({ scale: 0.4 }, true));
  await overlaysSettled(page);
  await page.screenshot({ path: "/tmp/h/ov4.png" });
});
