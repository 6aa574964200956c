// Views: links, the browser's history, bookmarks, the overview with its mark and coverage, and the view as a picture.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectExact, idle, openSlide, slideIsOpen } from "../harness/microscope.ts";

test.use({ viewport: { width: 1366, height: 768 } });

const viewLink = (page: Page) => page.evaluate(() => window.__wavescope.viewport.viewLink());
const isAt = (page: Page, part: object) =>
  page.waitForFunction((to) => {
    const now = new Map<string, unknown>(Object.entries(window.__wavescope.viewport.viewLink()));
    return Object.entries(to).every(
      ([key, value]) => Math.abs(Number(now.get(key)) - Number(value)) < (key === "scale" ? 1e-3 : 0.6),
    );
  }, part);

test("a link shows position, zoom, rotation, mirroring and plane again; an old one still works", {
  tag: "@static-link",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1111&y=999&scale=0.8&rotation=37.5&flip=1&plane=2&later=1");
  const seen = await viewLink(page);
  expect(seen).toMatchObject({ rotation: 37.5, flip: true, plane: 2 });
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 1200 }, false));
  await page.waitForURL(/x=1200&y=999&scale=0.8&rotation=37.5&flip=1&plane=2$/);
  await openSlide(page, SLIDES.specimen, undefined, "#x=1000&y=900&scale=0.5&plane=1");
  await isAt(page, { l0_x: 1000, l0_y: 900, plane: 1, rotation: 0 });
});

test("a reload right after a move keeps it", { tag: "@static-link" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5");
  await page.evaluate(() => {
    window.__wavescope.viewport.show({ l0_x: 1250 }, true);
    sessionStorage.setItem("hash", location.hash);
  });
  await page.reload();
  expect(await page.evaluate(() => sessionStorage.getItem("hash"))).not.toContain("1250"); // it was quick enough to try it
  await slideIsOpen(page);
  await isAt(page, { l0_x: 1250, l0_y: 1100, scale: 0.5 });
});

test("back and forward go from jump to jump, not from move to move", { tag: "@static-link" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectExact(page);
  const first = await viewLink(page);
  expect(first.l0_x).toBeGreaterThan(1450);
  await page.getByRole("button", { name: "Objective 40×" }).click();
  await isAt(page, { scale: 1 });
  await page.getByRole("button", { name: "Whole slide" }).click();
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale < 0.4);
  await page.goBack();
  await isAt(page, { scale: 1, l0_x: first.l0_x });
  await page.keyboard.press("Backspace");
  await isAt(page, { scale: 0.5, l0_x: first.l0_x });
  await page.goForward();
  await isAt(page, { scale: 1 });
});

test("bookmarks are named, visited, renamed, deleted, brought back and handed on by a link", {
  tag: "@static-link",
}, async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5");
  await page.getByRole("button", { name: "Bookmarks" }).click();
  await page.getByLabel("Name of the new bookmark").fill("Gland");
  const { l0_x } = await viewLink(page);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 600, scale: 1, rotation: 90 }, true));
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Shift+b");
  const rows = page.getByTestId("bookmark");
  await expect(rows).toHaveCount(2);
  await expect(rows.first().locator("img")).toHaveAttribute("src", /^data:image\/jpeg/);

  await rows.first().getByRole("button", { name: "Go to Gland" }).click();
  await isAt(page, { l0_x, l0_y: 1100, scale: 0.5, rotation: 0 });
  await rows
    .nth(1)
    .getByRole("button", { name: /^Rename/ })
    .click();
  await page.getByLabel("Name", { exact: true }).fill("Stroma");
  await page.keyboard.press("Enter");
  await rows.first().getByRole("button", { name: "Delete Gland" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveText([/Gland/, /Stroma/]);

  const copy = page.getByRole("button", { name: /^Copy link/ });
  const cut = copy.locator("span").last();
  expect(await cut.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  await copy.click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await browser.newPage();
  await other.goto(link);
  await slideIsOpen(other);
  await isAt(other, { l0_x, scale: 0.5 });
  await other.keyboard.press("b");
  await expect(other.getByTestId("bookmark")).toHaveText([/Gland/, /Stroma/]);
  await other.close();

  await page.reload();
  await slideIsOpen(page);
  await expect(rows).toHaveText([/Gland/, /Stroma/]);
});

test("the overview marks the field, turned with the slide, and shows the coverage", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=1&rotation=30");
  const mark = page.getByTestId("overview-mark");
  await expect(mark).toHaveCSS("transform", /^matrix\(0\.866025, -0\.5, 0\.5, 0\.866025/);
  await page.getByRole("button", { name: "Coverage", exact: true }).click();
  const coverage = page.getByTestId("coverage");
  await expect(coverage).not.toHaveAttribute("data-fields", "0");
  const before = Number(await coverage.getAttribute("data-fields"));
  await page.keyboard.press("Shift+ArrowRight");
  await expect(coverage).toHaveAttribute("data-fields", String(before + 1));
  const overview = (await page.getByTestId("overview").boundingBox())!;
  await page.mouse.click(overview.x + overview.width * 0.25, overview.y + overview.height * 0.3);
  await page.waitForFunction((x) => Math.abs(window.__wavescope.viewport.viewLink().l0_x - x) < 20, 2900 * 0.25);
  await page.goBack();
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().l0_x > 1400);
  await expect(async () => {
    await page.getByRole("button", { name: "Clear coverage" }).click(); // the field in view comes after, if it had not rested yet
    await expect(coverage).toHaveAttribute("data-fields", "0", { timeout: 1000 });
  }).toPass();
});

test("a turned view is saved with its annotations and their words where the screen has them", async ({
  page,
  services,
}) => {
  const { service } = await services.of("slides"); // what is drawn stays out of the other tests
  await openSlide(page, SLIDES.specimen, service.address, "#x=1400&y=1100&scale=1&rotation=30&flip=1");
  await page.keyboard.press("a");
  await page.getByTestId("annotation-tools").getByRole("button", { name: "Rectangle", exact: true }).click();
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const corners = [
    [1300, 1000],
    [1500, 1200],
  ] as const;
  const spots = await page.evaluate(
    (places) => places.map(([x, y]) => window.__wavescope.annotations.inViewer(x, y)),
    corners,
  );
  await page.mouse.move(viewer.x + spots[0]!.x, viewer.y + spots[0]!.y);
  await page.mouse.down();
  await page.mouse.move(viewer.x + spots[1]!.x, viewer.y + spots[1]!.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press("Escape"); // the tool
  await page.keyboard.press("Escape"); // the selection: what is selected has handles, which no picture needs
  await expect(page.getByTestId("annotation-save")).toHaveAttribute("data-save", "saved");
  await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
  const download = page.waitForEvent("download");
  await page.keyboard.press("Shift+p");
  const png = PNG.sync.read(readFileSync(await (await download).path()));
  const edge = await page.evaluate(() => window.__wavescope.annotations.inViewer(1400, 1000));
  const around = await page.evaluate(({ x, y }) => {
    const found = [];
    for (let down = -3; down <= 3; down++) {
      const at = { x: Math.round(x), y: Math.round(y) + down };
      found.push({
        ...at,
        drawn: [...window.__wavescope.annotations.readPixel(at.x, at.y)],
        slide: [...window.__wavescope.readCanvas(at.x, at.y, 1, 1).rgba],
      });
    }
    return found;
  }, edge);
  expect(around.some(({ drawn }) => drawn[3] === 255)).toBe(true);
  for (const { x, y, drawn, slide } of around) {
    const saved = [...png.data.subarray(4 * (y * png.width + x), 4 * (y * png.width + x) + 3)];
    const alpha = drawn[3]! / 255;
    const noise = alpha === 0 || alpha === 1 ? 1 : 8; // colours of what is half transparent are read back coarsely
    for (const c of [0, 1, 2])
      expect(Math.abs(saved[c]! - (drawn[c]! * alpha + slide[c]! * (1 - alpha)))).toBeLessThanOrEqual(noise);
  }
});

test("the view is saved as a PNG that holds the very pixels and a strip with the scale bar", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=1");
  await page.keyboard.press("Shift+h"); // annotations that others drew
  const download = page.waitForEvent("download");
  await page.keyboard.press("Shift+p");
  const file = await download;
  expect(file.suggestedFilename()).toBe("specimen-x1400-y1100-40x.png");
  const png = PNG.sync.read(readFileSync(await file.path()));
  const canvas = await page.evaluate(() => {
    const { width, height } = document.querySelector<HTMLCanvasElement>(
      "[data-testid=viewer] .openseadragon-canvas canvas",
    )!;
    return { width, height, row: [...window.__wavescope.readCanvas(0, 300, width, 1).rgba] };
  });
  expect([png.width, png.height]).toEqual([canvas.width, canvas.height + 44]);
  expect([...png.data.subarray(300 * png.width * 4, 301 * png.width * 4)]).toEqual(canvas.row);
  const strip = png.data.subarray(canvas.height * png.width * 4);
  let dark = 0;
  for (let i = 0; i < strip.length; i += 4) dark += strip[i]! < 60 ? 1 : 0;
  expect(dark).toBeGreaterThan(300);
});

test("the view is saved by a button, which says so", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=1");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Camera" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  expect((await download).suggestedFilename()).toBe("specimen-x1400-y1100-40x.png");
  await expect(page.getByText("The view was saved as specimen-x1400-y1100-40x.png")).toBeVisible();
});

test("the whole slide, with which it opens, is no seen field", { tag: "@static" }, async ({ page }) => {
  const REST = 900; // milliseconds: a field that is rested on for 400 is seen
  await openSlide(page, SLIDES.specimen);
  await page.getByRole("button", { name: "Whole slide" }).click();
  await page.getByRole("button", { name: "Coverage", exact: true }).click();
  const coverage = page.getByTestId("coverage");
  await page.waitForTimeout(REST);
  await expect(coverage).toHaveAttribute("data-fields", "0");
  await page.getByRole("button", { name: "Full resolution, 1:1" }).click();
  await expect(coverage).toHaveAttribute("data-fields", "1");
  await page.getByRole("button", { name: "Whole slide" }).click();
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale < 0.4);
  await idle(page);
  await page.waitForTimeout(REST);
  await expect(coverage).toHaveAttribute("data-fields", "1");
});

test("the overview folds, stays folded, and its button stays in place", { tag: "@static-link" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  const toggle = page.getByRole("button", { name: "Overview", exact: true });
  const before = (await toggle.boundingBox())!;
  await page.mouse.click(before.x + before.width / 2, before.y + before.height / 2);
  await expect(page.getByTestId("overview")).toBeHidden();
  expect(await toggle.boundingBox()).toEqual(before);
  await page.reload();
  await slideIsOpen(page);
  await expect(page.getByTestId("overview")).toBeHidden();
  await page.getByTestId("viewer").click();
  await page.keyboard.press("Shift+O");
  await expect(page.getByTestId("overview")).toBeVisible();
});
