// What a person's hands expect, one thing after another, on a small real slide, a large real one and one with seven planes.
// The other specs look at each thing closely; here it must work whatever the slide is.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { drag, saved, show, tool } from "../harness/annotating.ts";
import { MINERVA_FILE, REGION_FILE, SLIDES } from "../harness/slides.ts";
import { expectExact, idle, openSlide, slideIsOpen, slideOf, viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { comparisonIdle, comparisonIsOpen, seen } from "../harness/comparison.ts";
import { DATA } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const FILES: Readonly<Record<string, string>> = { [SLIDES.region]: REGION_FILE, [SLIDES.minerva]: MINERVA_FILE };
const EXPORTED = { x: 512, y: 640, width: 300, height: 200 };

test.use({ viewport: { width: 1366, height: 768 }, contextOptions: { reducedMotion: "reduce" } });
test.setTimeout(180_000);

const own = sharedService();

const viewLink = (page: Page) => page.evaluate(() => window.__wavescope.viewport.viewLink());
const panel = (page: Page) => page.getByTestId("side-panel");
const closePanel = async (page: Page): Promise<void> => {
  await panel(page)
    .getByRole("button", { name: /^Close/ })
    .first()
    .click();
  await expect(panel(page)).toHaveCount(0);
  await page.getByTestId("viewer").focus();
};

async function navigation(page: Page): Promise<void> {
  const ten = page.getByTestId("turret").getByRole("button", { name: "Objective 10×" });
  await ten.click();
  await expect(ten).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("magnification")).toHaveText("10×");
  await expectExact(page);
  await page.keyboard.press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-4);
  await expectExact(page);
  const before = await viewState(page);
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction((x) => window.__wavescope.viewport.state().l0_x > x, before.l0_x);
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().rotation === 15);
  await page.keyboard.press("Alt+r");
  await page.keyboard.press("0");
  await expectExact(page);
}

async function focus(page: Page): Promise<void> {
  const { planes } = await slideOf(page);
  if (planes === 1) return expect(page.getByTestId("focus-slider")).toHaveCount(0);
  const before = (await viewState(page)).plane;
  await page.keyboard.press("]");
  await page.waitForFunction((plane) => window.__wavescope.viewport.state().plane === plane + 1, before);
  await page.keyboard.press("[");
  await expectExact(page);
}

async function light(page: Page): Promise<void> {
  const middle = () => page.evaluate(() => [...window.__wavescope.readShown(500, 300, 1, 1).rgba]);
  const before = await middle();
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), brightness: -0.3 }));
  await expect(page.getByTestId("light-badge")).toHaveText("Adjusted");
  expect(await middle()).not.toEqual(before);
  await page.keyboard.press("Shift+l");
  expect(await middle()).toEqual(before);
}

async function places(page: Page): Promise<void> {
  await show(page, 400, 400, 900, 600);
  await page.keyboard.press("Shift+b");
  await idle(page);
  await page.waitForURL(/#x=850&y=700&scale=/);
  const before = await viewLink(page);
  await page.reload();
  await slideIsOpen(page);
  const after = await viewLink(page);
  expect([after.l0_x - before.l0_x, after.l0_y - before.l0_y].map((off) => Math.round(Math.abs(off)))).toEqual([0, 0]);
  expect(after.scale / before.scale).toBeCloseTo(1, 4);
  await expect(page.getByTestId("overview-mark")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.keyboard.press("Shift+p");
  const png = PNG.sync.read(readFileSync(await (await download).path()));
  expect(png.height).toBeGreaterThan(400);
}

async function annotate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Annotations" }).click();
  await saved(page);
  await tool(page, "Rectangle").click();
  await drag(page, [
    [600, 500],
    [900, 700],
  ]);
  await expect(page.getByTestId("annotation-editor")).toContainText(/µm²|mm²|px²/);
  await saved(page);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => window.__wavescope.annotations.state().count === 0);
  await page.keyboard.press("Control+Shift+z");
  await page.waitForFunction(() => window.__wavescope.annotations.state().count === 1);
  await saved(page);
  await closePanel(page);
}

async function tour(page: Page): Promise<void> {
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "New tour", exact: true }).click();
  await page.getByRole("button", { name: "Add this view" }).click();
  await page.getByRole("button", { name: "Add those in view" }).click();
  await expect(page.getByTestId("pointed-out")).toHaveCount(1);
  await expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "saved");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".wavescope-marks [data-pointed]")).toHaveCount(1);
  await page.getByTestId("tour-player").getByRole("button", { name: "End tour" }).click();
  await closePanel(page);
}

async function exporting(page: Page, slide: string): Promise<void> {
  await page.keyboard.press("Shift+e");
  const dialog = page.getByRole("dialog", { name: "Camera" });
  await dialog.getByText("Coordinates").click();
  for (const [label, value] of [
    ["x", EXPORTED.x],
    ["y", EXPORTED.y],
    ["Width", EXPORTED.width],
    ["Height", EXPORTED.height],
  ] as const) {
    await dialog.getByLabel(label, { exact: true }).fill(String(value));
  }
  await dialog.getByRole("combobox", { name: "Resolution" }).click();
  await page.getByRole("option", { name: /^Full resolution/ }).click();
  await dialog.getByRole("button", { name: "Export" }).click();
  await expect(page.getByTestId("export-progress")).toHaveAttribute("data-state", "done");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save file" }).click(),
  ]);
  const file = PNG.sync.read(readFileSync(await download.path()));
  const query = new URLSearchParams(Object.entries(EXPORTED).map(([name, value]) => [name, String(value)]));
  query.set("z", String((await viewState(page)).plane));
  const served = PNG.sync.read(
    Buffer.from(await (await fetch(`${own.service.address}/api/v1/slides/${slide}/region?${query}`)).arrayBuffer()),
  );
  expect(file.data.equals(served.data)).toBe(true);
  await page.getByRole("button", { name: "Another region" }).click();
  await page.keyboard.press("Escape");
}

async function information(page: Page): Promise<void> {
  await page.keyboard.press("i");
  const { top } = await slideOf(page);
  await expect(page.getByTestId("stored-bytes").getByRole("row")).toHaveCount(top + 2);
  await expect(page.getByTestId("traffic-history")).toBeVisible(); // without bars: what was seen before is stored here
  await closePanel(page);
}

async function compare(page: Page, slide: string): Promise<void> {
  await page.goto(`${own.service.address}/compare?slide=${slide}&slide=${slide}`);
  await comparisonIsOpen(page);
  await page.getByTestId("viewer-A").press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.comparison![1]!.viewport.state().scale - 1) < 1e-4);
  await page.getByText("Swipe", { exact: true }).click();
  await page.getByTestId("divider").press("Home");
  await comparisonIdle(page);
  const { A, B } = await seen(page);
  expect([A.l0_x - B.l0_x, A.l0_y - B.l0_y].map((off) => Math.round(Math.abs(off)))).toEqual([0, 0]);
}

for (const slide of [SLIDES.region, SLIDES.minerva, SLIDES.planes]) {
  test(`${slide}: everything that hands expect`, async ({ page }) => {
    const file = FILES[slide];
    test.skip(file !== undefined && !existsSync(join(DATA, file)), `no test data: ${file} is not in ${DATA}`);
    await openSlide(page, slide, own.service.address);
    await expectExact(page);
    for (const [name, does] of Object.entries({
      navigation,
      focus,
      light,
      places,
      annotate,
      tour,
      exporting,
      information,
      compare,
    })) {
      await test.step(name, () => does(page, slide));
    }
  });
}
