// Layers of annotations, one for each author and import: hidden, locked, faded, deleted. By mouse, fingers and keys.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  change,
  clear,
  click,
  drag,
  list,
  openAnnotations,
  pretendGraphicsCard,
  saved,
  show,
  state,
  storedAnnotations,
  tool,
} from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { sharedService } from "../harness/sharedService.ts";
import { smallTargets } from "../harness/targets.ts";

const own = sharedService();
const MINE = "local user";
const SIZES = { desktop: { width: 1920, height: 1080 }, phone: { width: 390, height: 844 } };

function box(x: number, y: number, size = 200): number[][] {
  return [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
}

/** Adds boxes as a file of this name. */
async function importFile(name: string, boxes: readonly number[][][]): Promise<void> {
  const features = boxes.map((ring) => ({
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { color: [200, 0, 0] },
  }));
  const at = `${own.service.address}/api/v1/slides/${SLIDES.specimen}/annotations:import`;
  const body = JSON.stringify({ type: "FeatureCollection", features });
  const answer = await fetch(`${at}?format=geojson&name=${encodeURIComponent(name)}`, { method: "POST", body });
  expect(await answer.json()).toMatchObject({ created: boxes.length });
}

/** One box of the user's own, two of one file, one of another. */
test.beforeEach(async () => {
  await clear(own.service.address, SLIDES.specimen);
  const geometry = { type: "Polygon", coordinates: [box(500, 500)] };
  const id = crypto.randomUUID();
  await change(own.service.address, SLIDES.specimen, [{ id, revision: 0, content: { kind: "rectangle", geometry } }]);
  const at = Date.now() % 1000; // else the objects of the test before, which the service knows deleted, would come back
  await importFile("tumour.geojson", [box(900 + at / 1e4, 500), box(900 + at / 1e4, 800)]);
  await importFile("cells of a very long file name that does not fit into the panel.geojson", [
    box(1300 + at / 1e4, 500),
  ]);
});

async function open(page: Page): Promise<void> {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
  await expect(layers(page)).toHaveCount(3);
}

const layers = (page: Page) => page.getByTestId("layers").getByRole("group");
const eye = (page: Page, name: string) => page.getByRole("button", { name: `Show layer ${name}` });
const lock = (page: Page, name: string) => page.getByRole("button", { name: `Lock layer ${name}` });
const bin = (page: Page, name: string) => page.getByRole("button", { name: `Delete layer ${name}` });
const opacity = (page: Page, name: string) => page.getByRole("slider", { name: `Opacity of layer ${name}` });

/** How opaque what is drawn there is, 0 to 255. */
async function alphaAt(page: Page, l0_x: number, l0_y: number): Promise<number> {
  await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
  return page.evaluate(
    ([x, y]) => {
      const at = window.__wavescope.annotations.inViewer(x!, y!);
      const near = [-1, 0, 1].map((d) =>
        window.__wavescope.annotations.readPixel(Math.round(at.x + d), Math.round(at.y)),
      );
      return Math.max(...near.map((pixel) => pixel[3]!));
    },
    [l0_x, l0_y],
  );
}

const LEFT_EDGE = [900, 600] as const; // of a box of the first file

test("a hidden layer is not drawn, hit, listed or deleted, and stays hidden (AN53)", async ({ page }) => {
  await open(page);
  expect(await alphaAt(page, ...LEFT_EDGE)).toBe(255);
  await click(page, [LEFT_EDGE]);
  await expect.poll(() => state(page).then(({ selected }) => selected.length)).toBe(1);
  await eye(page, "tumour.geojson").click();
  await expect(eye(page, "tumour.geojson")).toHaveAttribute("aria-pressed", "false");
  expect((await state(page)).selected).toEqual([]);
  await expect.poll(() => alphaAt(page, ...LEFT_EDGE)).toBe(0);
  await expect(page.getByTestId("annotation-count")).toHaveText("2 annotations");
  await click(page, [LEFT_EDGE]);
  expect((await state(page)).selected).toEqual([]);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Control+a");
  expect((await state(page)).selected).toHaveLength(2);
  await page.keyboard.press("Delete");
  await expect.poll(() => list(page).then((all) => all.length)).toBe(2);
  await saved(page);
  await page.reload();
  await saved(page);
  expect(await alphaAt(page, ...LEFT_EDGE)).toBe(0);
  await eye(page, "tumour.geojson").click();
  await expect.poll(() => alphaAt(page, ...LEFT_EDGE)).toBe(255);
});

test("a locked layer is drawn and selected, and not moved, changed or deleted (AN53)", async ({ page }) => {
  await open(page);
  const before = await list(page);
  await lock(page, "tumour.geojson").click();
  await click(page, [LEFT_EDGE]);
  await expect(page.getByTestId("annotation-editor")).toContainText("In a locked layer");
  await expect(page.getByRole("button", { name: "Delete selected" })).toHaveCount(0);
  await expect(bin(page, "tumour.geojson")).toBeDisabled();
  await drag(page, [LEFT_EDGE, [1000, 700]]);
  await page.keyboard.press("Delete");
  expect(await list(page)).toEqual(before);
  await lock(page, "tumour.geojson").click();
  await show(page, 200, 200, 1600, 900);
  await click(page, [LEFT_EDGE]);
  await drag(page, [LEFT_EDGE, [880, 620]]);
  await expect.poll(() => list(page).then((all) => JSON.stringify(all) === JSON.stringify(before))).toBe(false);
});

test("a layer is deleted, and comes back by the notice's undo (AN54)", async ({ page }) => {
  await open(page);
  await bin(page, "tumour.geojson").click();
  await expect(layers(page)).toHaveCount(2);
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(layers(page)).toHaveCount(3);
  await saved(page);
  const there = (await storedAnnotations(own.service.address, SLIDES.specimen)).filter(({ deleted }) => !deleted);
  expect(there).toHaveLength(4);
});

test("what is new shows and unlocks the user's own layer (AN53)", async ({ page }) => {
  await open(page);
  await eye(page, MINE).click();
  await lock(page, MINE).click();
  await tool(page, "Rectangle").click();
  await drag(page, [
    [400, 900],
    [600, 1000],
  ]);
  await expect(eye(page, MINE)).toHaveAttribute("aria-pressed", "true");
  await expect(lock(page, MINE)).toHaveAttribute("aria-pressed", "false");
  expect(await alphaAt(page, 400, 950)).toBe(255);
});

for (const kind of ["canvas", "webgl"] as const)
  test(`by keys a layer is faded, with ${kind}, also where its lines overlap (AN53)`, async ({ page }) => {
    if (kind === "webgl") await page.addInitScript(pretendGraphicsCard);
    await open(page);
    expect((await state(page)).painter).toBe(kind);
    await bin(page, "tumour.geojson").focus();
    await page.keyboard.press("Tab"); // its lock
    await page.keyboard.press("Tab"); // its eye
    await page.keyboard.press("Tab");
    await expect(opacity(page, "tumour.geojson")).toBeFocused();
    await page.keyboard.press("Home");
    for (let i = 0; i < 40; i += 1) await page.keyboard.press("ArrowRight");
    await expect(opacity(page, "tumour.geojson")).toHaveAttribute("aria-valuenow", "50");
    await expect.poll(() => alphaAt(page, ...LEFT_EDGE)).toBeLessThan(130);
    const corner = await alphaAt(page, 900, 500); // where two lines meet
    expect(corner).toBeGreaterThan(60);
    expect(corner).toBeLessThan(130);
    expect(await alphaAt(page, 500, 600)).toBe(255); // of another layer
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    await expect.poll(() => alphaAt(page, ...LEFT_EDGE)).toBe(0);
  });

for (const [size, viewport] of Object.entries(SIZES))
  test(`the layers are read and reached at ${viewport.width} x ${viewport.height}`, async ({ browser }, info) => {
    const page = await (await browser.newContext({ viewport, hasTouch: true, isMobile: size === "phone" })).newPage();
    await openAnnotations(page, SLIDES.specimen, own.service.address);
    await page.getByTestId("layers").scrollIntoViewIfNeeded();
    await expect(layers(page).first()).toBeVisible({ visible: size !== "phone" }); // there the list needs the room
    if (size === "phone") await page.getByTestId("layers").locator("summary").tap();
    await eye(page, "tumour.geojson").tap();
    await lock(page, MINE).tap();
    await page.getByTestId("layers").scrollIntoViewIfNeeded();
    const at = await layers(page).first().boundingBox();
    expect(at!.width).toBeLessThanOrEqual(viewport.width);
    expect(await smallTargets(page)).toEqual([]);
    await storePicture(page, info.outputPath(`layers-${size}-light.png`));
    await page.emulateMedia({ colorScheme: "dark" });
    await storePicture(page, info.outputPath(`layers-${size}-dark.png`));
    await expectNothingSeriousInEither(page, `layers, ${size}`);
    await page.context().close();
  });
