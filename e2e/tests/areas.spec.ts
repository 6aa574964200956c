// Areas painted, found, put together and cut; copies; the menu of the picture; classes renamed and joined. By mouse, fingers and keys.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  clear,
  click,
  drag,
  list,
  onScreen,
  openAnnotations,
  saved,
  show,
  state,
  tool,
} from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { storePicture } from "../harness/looks.ts";
import { sharedService } from "../harness/sharedService.ts";
import { smallTargets } from "../harness/targets.ts";

const own = sharedService();

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

async function open(page: Page): Promise<void> {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
}

const undo = (page: Page) => page.keyboard.press("Control+z");
const menu = (page: Page) => page.getByTestId("picture-menu");
const item = (page: Page, name: string) => menu(page).getByRole("menuitem", { name, exact: true });
const boxes = async (page: Page): Promise<(readonly (readonly number[])[])[]> =>
  (await list(page)).map((one) => one.parts);

async function rectangle(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await tool(page, "Rectangle").click();
  await drag(page, [from, to]);
}

/** By the even-odd rule. */
async function areas(page: Page): Promise<number[]> {
  return (await boxes(page)).map((parts) =>
    Math.abs(
      parts.reduce((sum, ring) => {
        let twice = 0;
        for (let i = 0; i + 3 < ring.length; i += 2) twice += ring[i]! * ring[i + 3]! - ring[i + 2]! * ring[i + 1]!;
        return sum + twice / 2;
      }, 0),
    ),
  );
}

async function openMenu(page: Page, l0_x: number, l0_y: number): Promise<void> {
  const { x, y } = await onScreen(page, l0_x, l0_y);
  await page.mouse.click(x, y, { button: "right" });
  await expect(menu(page)).toBeVisible();
}

test("the brush paints an area, adds to it, wipes it away; each stroke is one undo (AN39)", async ({ page }) => {
  await open(page);
  await tool(page, "Brush").click();
  await expect(page.getByTestId("viewer").locator("canvas").first()).toBeVisible();
  await drag(page, [
    [500, 500],
    [800, 500],
    [800, 700],
  ]);
  await expect.poll(() => list(page).then((all) => all.length)).toBe(1);
  const [painted] = await areas(page);
  await drag(page, [
    [800, 700],
    [1100, 700],
  ]);
  expect((await areas(page)).length).toBe(1);
  expect((await areas(page))[0]!).toBeGreaterThan(painted! * 1.3);
  await page.keyboard.down("Alt");
  await drag(page, [
    [650, 400],
    [650, 600],
  ]);
  await page.keyboard.up("Alt");
  expect((await boxes(page))[0]!.length).toBe(2);
  await undo(page);
  expect((await boxes(page))[0]!.length).toBe(1);
  await undo(page);
  expect((await areas(page))[0]).toBeCloseTo(painted!, 3);
  await page.keyboard.press("Escape"); // the tool
  await page.keyboard.press("Escape"); // the selection
  await page.keyboard.press("Shift+x");
  await drag(page, [
    [500, 900],
    [800, 900],
  ]);
  expect((await list(page)).length).toBe(2);
  await storePicture(page, "test-results/areas-brush.png");
  await saved(page);
  await openSlide(page, SLIDES.specimen, own.service.address);
  await expect.poll(() => state(page).then(({ count }) => count)).toBe(2);
});

test("the eraser of the tool bar wipes without a key, and everything wiped away is gone (AN39)", async ({ page }) => {
  await open(page);
  await tool(page, "Brush").click();
  await drag(page, [
    [600, 500],
    [640, 500],
  ]);
  await page.getByRole("button", { name: "Take away instead of adding" }).click();
  for (let i = 0; i < 4; i += 1) await page.getByRole("button", { name: "Larger brush" }).click();
  await drag(page, [
    [580, 500],
    [660, 500],
  ]);
  expect(await list(page)).toEqual([]);
  await undo(page);
  expect((await list(page)).length).toBe(1);
});

test("the wand finds what is alike around a click, adds with Shift and takes away with Alt (AN40)", async ({
  page,
}) => {
  await open(page);
  await page.keyboard.press("Shift+w");
  await expect(tool(page, "Wand")).toHaveAttribute("aria-pressed", "true");
  await expect
    .poll(async () => {
      await click(page, [[1000, 650]]);
      return (await list(page)).length;
    })
    .toBeGreaterThan(0);
  const [found] = await areas(page);
  expect(found!).toBeGreaterThan(20);
  await storePicture(page, "test-results/areas-wand.png");
  await click(page, [[400, 400]], ["Shift"]);
  expect((await list(page)).length).toBe(1);
  expect((await areas(page))[0]!).toBeGreaterThan(found!);
});

test("areas are merged, subtracted, intersected and split, each in one step (AN38)", async ({ page }) => {
  await open(page);
  await rectangle(page, [400, 300], [800, 700]);
  await rectangle(page, [600, 500], [1000, 900]);
  const [first, second] = await areas(page);
  await page.keyboard.press("Control+a");
  const button = (name: string) => page.getByTestId("annotation-editor").getByRole("button", { name, exact: true });
  await button("Merge").click();
  await expect.poll(() => list(page).then((all) => all.length)).toBe(1);
  const [merged] = await areas(page);
  await undo(page);
  await page.keyboard.press("Control+a");
  await button("Intersect").click();
  await expect.poll(() => list(page).then((all) => all.length)).toBe(1);
  const [shared] = await areas(page);
  expect(merged! + shared!).toBeCloseTo(first! + second!, -2);
  await undo(page);
  await page.keyboard.press("Control+a");
  await button("Subtract").click();
  await expect.poll(async () => Math.min(...(await areas(page)))).toBeLessThan(Math.min(first!, second!) - 1000);
  expect((await list(page)).length).toBe(2);
  await undo(page);
  await tool(page, "Length").click();
  await drag(page, [
    [300, 400],
    [900, 400],
  ]);
  await click(page, [[450, 350]], ["Shift"]);
  await button("Split").click();
  await expect.poll(() => list(page).then((all) => all.length)).toBe(3);
  expect((await list(page)).map((one) => one.kind)).not.toContain("line");
  await undo(page);
  expect((await list(page)).length).toBe(3);
  expect((await list(page)).map((one) => one.kind)).toContain("line");
});

test("what is copied is pasted in the middle of the view, on another slide too; Ctrl+D duplicates (AN41)", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await rectangle(page, [400, 300], [800, 700]);
  await page.keyboard.press("Control+d");
  expect((await list(page)).length).toBe(2);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await expect(page.getByText("2 annotations copied")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect.poll(() => list(page).then((all) => all.length)).toBe(4);
  await undo(page);
  expect((await list(page)).length).toBe(2);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+x");
  expect(await list(page)).toEqual([]);
  await clear(own.service.address, SLIDES.profiled);
  await openSlide(page, SLIDES.profiled, own.service.address);
  await expect.poll(() => list(page)).toEqual([]);
  await page.getByTestId("viewer").focus();
  await expect
    .poll(async () => {
      await page.keyboard.press("Control+v");
      return (await list(page)).length;
    })
    .toBeGreaterThanOrEqual(2);
  await clear(own.service.address, SLIDES.profiled);
});

test("a right click, the menu key and a long press open the menu of the place (AN42)", async ({ page }) => {
  await open(page);
  await rectangle(page, [400, 300], [800, 700]);
  await page.keyboard.press("Escape");
  await openMenu(page, 500, 500);
  expect((await state(page)).selected.length).toBe(1);
  await expect(item(page, "Duplicate")).toBeVisible();
  await storePicture(page, "test-results/areas-menu.png");
  await expectNothingSeriousInEither(page, "the menu of the picture");
  await item(page, "Duplicate").click();
  expect((await list(page)).length).toBe(2);
  await expect(menu(page)).toBeHidden();
  await openMenu(page, 1300, 400);
  expect((await state(page)).selected).toEqual([]);
  await expect(item(page, "Delete selected")).toBeHidden();
  await item(page, "Put a point here").click();
  expect((await list(page)).map((one) => one.kind)).toContain("point");
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Shift+F10");
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeHidden();
  await openMenu(page, 1200, 800);
  await item(page, "Centre here").click();
  await page.evaluate(() => window.__wavescope.idle());
  const { x, y } = await onScreen(page, 1200, 800);
  const box = (await page.getByTestId("viewer").boundingBox())!;
  const panel = (await page.getByTestId("side-panel").boundingBox())!;
  expect(Math.abs(x - (box.x + panel.x) / 2)).toBeLessThan(3); // of the part beside the panel (PG80)
  expect(Math.abs(y - box.y - box.height / 2)).toBeLessThan(3);
});

test("a corner is removed from its menu (AN42)", async ({ page }) => {
  await open(page);
  await tool(page, "Polygon").click();
  await click(page, [
    [400, 300],
    [800, 300],
    [800, 700],
    [400, 700],
  ]);
  await page.keyboard.press("Shift+Enter");
  await openMenu(page, 800, 700);
  await item(page, "Remove this corner").click();
  expect((await boxes(page))[0]![0]!.length).toBe(8);
});

test("classes are renamed, joined and removed; their annotations follow, and undo brings them back (AN43)", async ({
  page,
}) => {
  await open(page);
  const classes = page.getByRole("region", { name: "Classes" });
  for (const name of ["Tumour", "Necrosis"]) {
    await classes.getByPlaceholder("New class").fill(name);
    await classes.getByRole("button", { name: "Add" }).click();
    await rectangle(page, [400, name === "Tumour" ? 300 : 600], [800, name === "Tumour" ? 500 : 800]);
  }
  await classes.getByRole("button", { name: "Rename class Tumour" }).click();
  await classes.getByLabel("New name").fill("Carcinoma");
  await page.keyboard.press("Enter");
  await expect(classes.getByTitle("Carcinoma", { exact: true })).toBeVisible();
  await expect.poll(async () => (await list(page)).map((one) => one.class).sort()).toEqual(["Carcinoma", "Necrosis"]);
  await classes.getByRole("button", { name: "Rename class Necrosis" }).click();
  await classes.getByLabel("New name").fill("Carcinoma");
  await expect(classes.getByText("become one class")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await list(page)).map((one) => one.class)).toEqual(["Carcinoma", "Carcinoma"]);
  await page.getByTestId("viewer").focus();
  await undo(page);
  await expect.poll(async () => (await list(page)).map((one) => one.class).sort()).toEqual(["Carcinoma", "Necrosis"]);
  await classes.getByRole("button", { name: "Rename class Carcinoma" }).click();
  await classes.getByRole("button", { name: "Remove class Carcinoma, keep its annotations" }).click();
  await expect.poll(async () => (await list(page)).map((one) => one.class).sort()).toEqual(["", "Necrosis"]);
  await expect(classes.getByTitle("Carcinoma", { exact: true })).toBeHidden();
  await page.getByRole("combobox", { name: "Order" }).selectOption("By class");
  await storePicture(page, "test-results/areas-classes.png");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a finger paints, two fingers move the slide, a finger that stays opens the menu", async ({ page }) => {
    await openAnnotations(page, SLIDES.specimen, own.service.address);
    await tool(page, "Brush").tap();
    const box = (await page.getByTestId("viewer").boundingBox())!;
    const [x, y] = [box.x + 120, box.y + 200];
    const client = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly (readonly [number, number])[]) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })),
      });
    await expect
      .poll(async () => {
        await touch("touchStart", [[x, y]]);
        for (let i = 1; i <= 10; i += 1) await touch("touchMove", [[x + 10 * i, y + 4 * i]]);
        await touch("touchEnd", []);
        return (await list(page)).length;
      })
      .toBeGreaterThan(0);
    const before = await areas(page);
    // both fingers in one frame
    await touch("touchStart", [
      [x, y],
      [x + 100, y],
    ]);
    for (let i = 1; i <= 5; i += 1)
      await touch("touchMove", [
        [x - 5 * i, y + 5 * i],
        [x + 100 + 5 * i, y + 5 * i],
      ]);
    await touch("touchEnd", []);
    expect(await areas(page)).toEqual(before);
    // a finger that rests before it paints asks for no menu
    await touch("touchStart", [[x, y + 100]]);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
    await expect(menu(page)).toBeHidden();
    await touch("touchEnd", []);
    await page.keyboard.press("Control+z");
    expect(await smallTargets(page)).toEqual([]);
    await storePicture(page, "test-results/areas-phone.png");
    await page.evaluate(() => window.__wavescope.idle());
    await tool(page, "Select, move, reshape").tap();
    await touch("touchStart", [[x, y + 150]]);
    await expect(menu(page)).toBeVisible();
    await touch("touchEnd", []);
    await expect(menu(page)).toBeVisible();
    await item(page, "Put a point here").tap();
    expect((await list(page)).map((one) => one.kind)).toContain("point");
  });
});
