// What hands do at the microscope: a click comes before a key, and two fingers move in one frame.
import { type Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  change,
  clear,
  click,
  drag,
  list,
  onScreen,
  openAnnotations,
  show,
  state,
  tool,
} from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";

const own = sharedService();

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

const open = async (page: Page): Promise<void> => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
};

const count = async (page: Page): Promise<number> => (await state(page)).count;

async function drawRectangle(page: Page): Promise<void> {
  await tool(page, "Rectangle").click();
  await drag(page, [
    [600, 400],
    [1000, 800],
  ]);
  await expect.poll(() => count(page)).toBe(1);
}

for (const key of ["Delete", "Backspace"]) {
  test(`${key} deletes what was drawn with the mouse, and leaves the slide where it is (PG50)`, async ({ page }) => {
    await openSlide(page, SLIDES.planes, own.service.address); // something to go back to
    await open(page);
    await drawRectangle(page);
    await page.keyboard.press(key);
    await expect.poll(() => count(page)).toBe(0);
    await page.keyboard.press("Control+z");
    await expect.poll(() => count(page)).toBe(1);
    await click(page, [[600, 600]]);
    expect((await state(page)).selected).toHaveLength(1);
    await page.keyboard.press(key);
    await expect.poll(() => count(page)).toBe(0);
    expect(page.url()).toContain(SLIDES.specimen);
  });
}

test("Backspace takes back the last corner of a shape that is being drawn", async ({ page }) => {
  await openSlide(page, SLIDES.planes, own.service.address);
  await open(page);
  await tool(page, "Polygon").click();
  await click(page, [
    [600, 400],
    [900, 400],
    [900, 700],
    [700, 900],
  ]);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect.poll(() => count(page)).toBe(1);
  expect((await list(page))[0]!.parts[0]).toHaveLength(8); // three corners, closed
});

test("Enter closes a polygon whose corners were clicked; with two corners it waits for more (PG50)", async ({
  page,
}) => {
  await open(page);
  await tool(page, "Polygon").click();
  await click(page, [
    [600, 400],
    [900, 400],
  ]);
  await page.keyboard.press("Enter");
  expect(await count(page)).toBe(0);
  await click(page, [[900, 700]]);
  await page.keyboard.press("Enter");
  await expect.poll(() => count(page)).toBe(1);
  const [corners] = (await list(page))[0]!.parts;
  const expected = [600, 400, 900, 400, 900, 700, 600, 400];
  for (const [i, value] of corners!.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(3);
});

test("letters work after a click into the picture, where they work there alone", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("wavescope.keysEverywhere", "no"));
  await open(page);
  const at = await onScreen(page, 1000, 600);
  await page.mouse.click(at.x, at.y);
  await page.keyboard.press("q");
  await expect(tool(page, "Rectangle")).toHaveAttribute("aria-pressed", "true");
});

test("an import is one undo, whatever was drawn before (AN22)", async ({ page }) => {
  await open(page);
  await drawRectangle(page);
  const features = Array.from({ length: 6000 }, (_, i) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [300 + (i % 120) * 10, 300 + Math.floor(i / 120) * 5] },
    properties: { classification: { name: i % 2 ? "Immune" : "Tumor" } },
  }));
  await page.locator("input[type=file][accept*=geojson]").setInputFiles({
    name: "cells.geojson",
    mimeType: "application/geo+json",
    buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
  });
  await expect(page.getByTestId("import-report")).toContainText("6,000 annotations added.");
  await expect(page.getByTestId("annotation-count")).toHaveText("6,001 annotations");
  const at = await onScreen(page, 250, 1050);
  await page.mouse.click(at.x, at.y);
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("annotation-count")).toHaveText("1 annotation");
  expect((await list(page)).map(({ kind }) => kind)).toEqual(["rectangle"]);
  await page.keyboard.press("Control+y");
  await expect(page.getByTestId("annotation-count")).toHaveText("6,001 annotations");
  await page.getByRole("button", { name: "Delete all of class Immune" }).click();
  await expect(page.getByTestId("annotation-count")).toHaveText("3,001 annotations");
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("annotation-count")).toHaveText("6,001 annotations");
});

const POINTS = [
  { id: "a", x: 600, y: 500, class: "Tumor" },
  { id: "b", x: 900, y: 500, class: "Tumor" },
  { id: "c", x: 900, y: 800, class: "Immune" },
  { id: "d", x: 1500, y: 900, class: "Immune" },
];

test("Shift and a drag select an area, Ctrl+A everything, and a class its objects", async ({ page }) => {
  const content = ({ x, y, class: group }: (typeof POINTS)[number]) => ({
    kind: "point",
    geometry: { type: "Point", coordinates: [x, y] },
    class: group,
  });
  await change(
    own.service.address,
    SLIDES.specimen,
    POINTS.map((point) => ({ id: point.id, revision: 0, content: content(point) })),
  );
  await open(page);
  const selected = async (): Promise<readonly string[]> => [...(await state(page)).selected].sort();
  const before = await viewState(page);
  await page.keyboard.down("Shift");
  await drag(page, [
    [500, 400],
    [1000, 900],
  ]);
  await page.keyboard.up("Shift");
  expect(await selected()).toEqual(["a", "b", "c"]);
  expect((await viewState(page)).l0_x).toBe(before.l0_x);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  expect(await selected()).toEqual(["a", "b", "c", "d"]);
  await page.getByRole("button", { name: "Select all of class Immune" }).click();
  expect(await selected()).toEqual(["c", "d"]);
  await page.keyboard.press("Delete");
  await expect.poll(async () => (await list(page)).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  await page.getByRole("button", { name: "Select all", exact: true }).click();
  expect(await selected()).toEqual(["a", "b"]);
});

for (const how of ["space", "middle"] as const)
  test(`the slide is dragged with any tool: ${how} (PG52)`, async ({ page }) => {
    await open(page);
    await tool(page, "Rectangle").click(); // the button has the focus
    const before = await viewState(page);
    const [from, to] = [await onScreen(page, 1100, 700), await onScreen(page, 800, 600)];
    await page.mouse.move(from.x, from.y);
    if (how === "space") await page.keyboard.down("Space");
    await page.mouse.down({ button: how === "middle" ? "middle" : "left" });
    await page.mouse.move(to.x, to.y, { steps: 8 });
    const after = await viewState(page); // before the hand lets go: the slide may glide on then
    await page.mouse.up({ button: how === "middle" ? "middle" : "left" });
    if (how === "space") await page.keyboard.up("Space");
    await page.evaluate(() => window.__wavescope.idle());
    expect(Math.abs(after.l0_x - before.l0_x - 300)).toBeLessThan(8);
    expect(Math.abs(after.l0_y - before.l0_y - 100)).toBeLessThan(8);
    expect(await state(page)).toMatchObject({ count: 0 });
    await expect(tool(page, "Rectangle")).toHaveAttribute("aria-pressed", "true");
    await show(page, 200, 200, 1600, 900);
    await drawRectangle(page);
  });

test("the middle of an edge has a handle that makes a new corner, and the tools say what hands can do", async ({
  page,
}) => {
  await open(page);
  await tool(page, "Polygon").click();
  await expect(page.getByTestId("annotation-tools")).toContainText("Space or middle button: move the slide");
  await click(page, [
    [600, 400],
    [1000, 400],
    [1000, 800],
  ]);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("annotation-tools")).toContainText("new corner");
  await expect(page.locator(".wavescope-marks [data-handles=new]")).toHaveAttribute("d", /(a3 3 0 1 0 6 0.*){3}/);
  await drag(page, [
    [800, 400],
    [800, 250],
  ]);
  const [corners] = (await list(page))[0]!.parts;
  expect(corners).toHaveLength(10);
  expect(Math.abs(corners![3]! - 250)).toBeLessThan(3);
});

test("the words of a label stand in the picture while they are typed", async ({ page }) => {
  await open(page);
  await tool(page, "Text").click();
  await click(page, [[1000, 700]]);
  await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
  await page.keyboard.type("look he");
  await expect(page.locator(".wavescope-marks text.wavescope-label")).toHaveText("look he");
  await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
});

test("a long list takes the height of the panel", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const content = (i: number) => ({ kind: "point", geometry: { type: "Point", coordinates: [300 + i, 300] } });
  await change(
    own.service.address,
    SLIDES.specimen,
    Array.from({ length: 60 }, (_, i) => ({ id: `p${i}`, revision: 0, content: content(i) })),
  );
  await open(page);
  const panel = (await page.getByTestId("side-panel").boundingBox())!;
  const rows = (await page.getByTestId("annotation-list").boundingBox())!;
  expect(rows.height).toBeGreaterThan(0.4 * panel.height);
  const last = (await page.getByTestId("import-report").boundingBox())!;
  expect(panel.y + panel.height - last.y).toBeLessThan(60); // nothing is left empty below
});

test("the length field of a calibration takes what is typed after the second end", async ({ page }) => {
  await openSlide(page, SLIDES.fiducial, own.service.address, "#x=2000&y=1500&scale=0.5");
  await page.getByRole("button", { name: "Slide information" }).click();
  await page.getByRole("button", { name: "Calibrate", exact: true }).click();
  await page.getByText("By known length").click();
  const before = await viewState(page);
  for (const [x, y] of [
    [1700, 1400],
    [2100, 1700],
  ] as const) {
    const at = await onScreen(page, x, y);
    await page.mouse.click(at.x, at.y);
  }
  await page.keyboard.type("12.05");
  await expect(page.getByLabel("Length", { exact: true })).toHaveValue("12.05");
  expect((await viewState(page)).scale).toBe(before.scale);
});

test("the value of a calibration takes what is typed as soon as it is asked for", async ({ page }) => {
  await openSlide(page, SLIDES.fiducial, own.service.address, "#x=2000&y=1500&scale=0.5");
  await page.getByRole("button", { name: "Slide information" }).click();
  await page.getByRole("button", { name: "Calibrate", exact: true }).click();
  await expect(page.getByLabel("Pixel size, µm")).toBeFocused();
  await page.keyboard.type("0.250");
  await expect(page.getByLabel("Pixel size, µm")).toHaveValue("0.250");
  await expect(page.getByTestId("calibration")).toContainText("0.25 µm/px");
  await expect(page.getByRole("button", { name: "Save scale" })).toBeEnabled();
});

test("a tag that was added takes what is typed", async ({ page }) => {
  await page.goto(own.service.address);
  const card = page.locator(`[data-slide-id="${SLIDES.specimen}"]`);
  await card.hover();
  await card.getByRole("button", { name: /More/ }).click();
  await page.getByRole("menuitem", { name: "Tags" }).click();
  await page.getByRole("button", { name: "Add tag" }).click();
  await page.keyboard.type("block");
  await page.keyboard.press("Tab");
  await page.keyboard.type("A 12");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(card).toContainText("A 12");
});

test("a cleared search can be typed into again", async ({ page }) => {
  await page.goto(own.service.address);
  const search = page.getByRole("searchbox", { name: "Search slides" });
  await search.click();
  await page.keyboard.type("zzz");
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.keyboard.type("spec");
  await expect(search).toHaveValue("spec");
});

test("a slide that was selected and deleted is called by its title", async ({ page }) => {
  await page.goto(own.service.address);
  const card = page.locator(`[data-slide-id="${SLIDES.planes}"]`);
  const title = (await card.locator("[title]").first().getAttribute("title"))!;
  expect(title).not.toBe(SLIDES.planes);
  await card.getByRole("checkbox").check();
  await page.getByTestId("selection-bar").getByRole("button", { name: "Delete" }).click();
  const message = page.getByRole("alert").filter({ hasText: "is in the trash" });
  await expect(message).toContainText(`“${title}”`);
  await message.getByRole("button", { name: "Undo" }).click();
  await expect(card).toBeVisible();
});

test("renaming selects the old title", async ({ page }) => {
  await page.goto(own.service.address);
  const card = page.locator(`[data-slide-id="${SLIDES.specimen}"]`);
  await card.hover();
  await card.getByRole("button", { name: /More/ }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await expect(page.getByLabel("Title")).toBeFocused();
  await page.keyboard.type("Another");
  await expect(page.getByLabel("Title")).toHaveValue("Another");
  await page.keyboard.press("Escape");
});

for (const [width, height] of [
  [1366, 768],
  [390, 844],
] as const)
  test(`a message leaves magnification, scale bar and fidelity in sight: ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openSlide(page, SLIDES.specimen, own.service.address);
    await page.keyboard.press("Shift+b");
    const message = page.getByRole("alert").filter({ hasText: /ookmark/ });
    await expect(message).toBeVisible();
    await message.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    const said = (await message.boundingBox())!;
    for (const id of ["scale-mark", "magnification", "fidelity"]) {
      const box = (await page.getByTestId(id).boundingBox())!;
      const apart =
        said.x >= box.x + box.width ||
        said.x + said.width <= box.x ||
        said.y >= box.y + box.height ||
        said.y + said.height <= box.y;
      expect(apart, id).toBe(true);
    }
  });
