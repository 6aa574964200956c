// Measuring and annotating by mouse and by keys; undo and redo; what is drawn; reload.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  type Points,
  change,
  clear,
  click,
  drag,
  storedAnnotations,
  list,
  onScreen,
  openAnnotations,
  pretendGraphicsCard,
  saved,
  show,
  state,
  tool,
} from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { sharedService } from "../harness/sharedService.ts";

const own = sharedService();

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

const open = async (page: Page): Promise<void> => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
};

const DRAGGED: Record<string, Points> = {
  Length: [
    [400, 400],
    [700, 800],
  ],
  Rectangle: [
    [800, 300],
    [1000, 450],
  ],
  Ellipse: [
    [1100, 300],
    [1300, 500],
  ],
  Freehand: [
    [400, 900],
    [500, 850],
    [600, 900],
    [560, 1000],
    [440, 1000],
  ],
  Arrow: [
    [1400, 300],
    [1500, 400],
  ],
};
const CLICKED: Record<string, Points> = {
  Point: [[700, 300]],
  Angle: [
    [1400, 600],
    [1400, 800],
    [1600, 800],
  ],
  Polygon: [
    [800, 600],
    [1000, 600],
    [1000, 800],
    [800, 600],
  ],
};

test("every tool draws with the mouse, and what is shown as its measure is its geometry's (AN13)", async ({ page }) => {
  await open(page);
  const mpp = await page.evaluate(
    async () =>
      ((await (await fetch(`/api/v1/slides/${window.__wavescope.slide().id}`)).json()) as { mpp: { x: number } }).mpp.x,
  );
  for (const [name, points] of Object.entries({ ...DRAGGED, ...CLICKED })) {
    await tool(page, name).click();
    await (name in DRAGGED ? drag(page, points) : click(page, points));
    await expect(page.getByTestId("annotation-editor"), name).toContainText(name);
    await page.getByTestId("viewer").press("Escape");
  }
  await tool(page, "Text").click();
  await click(page, [[1200, 1000]]);
  await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
  await page.keyboard.type("look here");
  await page.getByTestId("viewer").focus();
  await saved(page);
  const drawn = await list(page);
  expect(drawn.map(({ kind }) => kind)).toEqual([
    "line",
    "rectangle",
    "ellipse",
    "freehand",
    "arrow",
    "point",
    "angle",
    "polygon",
    "text",
  ]);
  const stored = await storedAnnotations(own.service.address, SLIDES.specimen);
  expect(stored.map(({ content }) => content!.kind).sort()).toEqual(drawn.map(({ kind }) => kind).sort());
  await page.getByRole("option", { name: /^Length/ }).click();
  const line = drawn[0]!.parts[0]!;
  const length = Math.hypot(line[2]! - line[0]!, line[3]! - line[1]!) * mpp;
  expect(Math.abs(length - 500 * mpp)).toBeLessThan(2 * mpp);
  const words = await page.getByTestId("annotation-measures").textContent();
  expect(parseFloat(words!)).toBeCloseTo(length, 0);
  await page.getByRole("option", { name: /^Angle/ }).click();
  await expect(page.getByTestId("annotation-measures")).toHaveText(/^(89\.\d|90\.\d)°$/);
});

test("what is drawn is seen where it is, turned and flipped too", async ({ page }) => {
  await open(page);
  await tool(page, "Rectangle").click();
  await drag(page, [
    [800, 400],
    [1200, 800],
  ]);
  await page.getByTestId("viewer").press("Escape");
  await saved(page);
  const [drawn] = await list(page);
  const edge = async (): Promise<{ on: number; off: number }> => {
    const [x, y] = [drawn!.parts[0]![0]!, (drawn!.parts[0]![1]! + drawn!.parts[0]![5]!) / 2];
    await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
    const read = async (l0_x: number): Promise<number> =>
      page.evaluate(
        ([px, py]) => {
          const at = window.__wavescope.annotations.inViewer(px!, py!);
          return window.__wavescope.annotations.readPixel(Math.floor(at.x), Math.floor(at.y))[3]!;
        },
        [l0_x, y],
      );
    return { on: await read(x), off: await read(x + 60) };
  };
  expect(await edge()).toEqual({ on: 255, off: 0 });
  for (const keys of ["turn", "flip"]) {
    await page.evaluate((what) => {
      const now = window.__wavescope.viewport.viewLink();
      window.__wavescope.viewport.show({ ...now, ...(what === "turn" ? { rotation: 30 } : { flip: true }) }, true);
    }, keys);
    await page.evaluate(() => window.__wavescope.idle());
    const { on, off } = await edge();
    expect(on, keys).toBeGreaterThan(180);
    expect(off, keys).toBe(0);
  }
});

test("objects are reshaped, moved, named, classed, deleted, and every step is undone and redone (AN22)", async ({
  page,
}) => {
  await open(page);
  await tool(page, "Rectangle").click();
  await drag(page, [
    [600, 400],
    [1000, 800],
  ]);
  const box = async (): Promise<number[]> => {
    const [ring] = (await list(page))[0]!.parts;
    return [ring![0]!, ring![1]!, ring![4]!, ring![5]!].map(Math.round);
  };
  const near = (found: number[], expected: number[]): void =>
    found.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(3));
  near(await box(), [600, 400, 1000, 800]);
  await drag(page, [
    [1000, 800],
    [1200, 900],
  ]);
  near(await box(), [600, 400, 1200, 900]);
  await drag(page, [
    [750, 400],
    [850, 450],
  ]);
  near(await box(), [700, 450, 1300, 950]);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Focus A");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name of the new class" }).fill("Tumor");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByLabel("Class", { exact: true }).selectOption("Tumor");
  await expect(page.getByRole("option", { name: /Focus A · Tumor/ })).toBeVisible();
  await page.getByRole("button", { name: "Delete selected" }).click();
  await expect(page.getByTestId("annotation-count")).toHaveText("0 annotations");
  await page.getByTestId("viewer").focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press("Control+z");
  expect((await state(page)).count).toBe(0);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Control+y");
  near(await box(), [700, 450, 1300, 950]);
  expect((await list(page))[0]).toMatchObject({ name: "Focus A", class: "Tumor" });
  await saved(page);
  await page.reload();
  await saved(page);
  near(await box(), [700, 450, 1300, 950]);
  await page.getByRole("searchbox", { name: "Search annotations" }).fill("nothing like it");
  await expect(page.getByTestId("annotation-count")).toHaveText("0 annotations");
  await page.getByRole("searchbox", { name: "Search annotations" }).fill("focus tumor");
  await expect(page.getByTestId("annotation-count")).toHaveText("1 annotation");
});

test("a shape is drawn, moved and deleted without a pointer", async ({ page }) => {
  await open(page);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("q");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.evaluate(() => window.__wavescope.idle());
  await page.keyboard.press("Enter");
  expect((await list(page)).map(({ kind }) => kind)).toEqual(["rectangle"]);
  const before = (await list(page))[0]!.parts[0]![0]!;
  await page.keyboard.press("Alt+ArrowRight");
  expect((await list(page))[0]!.parts[0]![0]!).toBeGreaterThan(before);
  await page.keyboard.press("Delete");
  expect((await state(page)).count).toBe(0);
});

test("a text label is one undo, and one redo (AN22)", async ({ page }) => {
  await open(page);
  await tool(page, "Text").click();
  await click(page, [[1200, 700]]);
  await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
  await page.keyboard.type("look here");
  await page.getByTestId("viewer").focus();
  await expect(page.getByRole("option", { name: "look here" })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("annotation-count")).toHaveText("0 annotations");
  await page.keyboard.press("Control+y");
  await expect(page.getByRole("option", { name: "look here" })).toBeVisible();
});

test("the value of a measurement stands beside it while it is drawn and afterwards", async ({ page }) => {
  await open(page);
  const labels = page.locator(".wavescope-marks text.wavescope-label");
  const areas = page.locator(".wavescope-marks text.wavescope-label", { hasText: "²" });
  await tool(page, "Polygon").click();
  await click(page, [
    [800, 500],
    [1000, 500],
  ]);
  const corner = await onScreen(page, 1000, 700);
  await page.mouse.move(corner.x, corner.y);
  await expect(areas).toHaveCount(1); // as if it were closed at the pointer
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  for (const [name, points] of [
    [
      "Length",
      [
        [400, 400],
        [700, 800],
      ],
    ],
    [
      "Angle",
      [
        [1400, 600],
        [1400, 800],
        [1600, 800],
      ],
    ],
  ] as const) {
    await tool(page, name).click();
    await (name === "Length" ? drag(page, points) : click(page, points));
  }
  await page.getByTestId("viewer").press("Escape");
  expect((await state(page)).selected).toEqual([]);
  await expect(labels.filter({ hasText: /^[\d.,]+\s(µm|mm|px)$/ })).toHaveCount(1);
  await expect(labels.filter({ hasText: /^(89|90)\.\d°$/ })).toHaveCount(1);
});

for (const painter of ["webgl", "canvas"] as const) {
  test(`2,000 objects are drawn, hit, edited and undone (${painter})`, async ({ page }) => {
    const changes = Array.from({ length: 2000 }, (_, i) => {
      const [x, y] = [40 + (i % 50) * 55, 40 + Math.floor(i / 50) * 55];
      const ring = [
        [x, y],
        [x + 30, y],
        [x + 30, y + 30],
        [x, y + 30],
        [x, y],
      ];
      return {
        id: `${painter}${i}`,
        revision: 0,
        content: { kind: "rectangle", geometry: { type: "Polygon", coordinates: [ring] }, name: `Object ${i}` },
      };
    });
    await change(own.service.address, SLIDES.specimen, changes);
    if (painter === "webgl") await page.addInitScript(pretendGraphicsCard);
    await open(page);
    await saved(page);
    expect(await state(page)).toMatchObject({ count: 2000, painter });
    const alpha = async (l0_x: number, l0_y: number): Promise<number> => {
      await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
      return page.evaluate(
        ([x, y]) => {
          const at = window.__wavescope.annotations.inViewer(x!, y!);
          return window.__wavescope.annotations.readPixel(Math.floor(at.x), Math.floor(at.y))[3]!;
        },
        [l0_x, l0_y],
      );
    };
    const [x, y] = [40 + 20 * 55, 40 + 10 * 55]; // object 520
    expect(await alpha(x, y + 15)).toBeGreaterThan(180);
    expect(await alpha(x + 15, y + 15)).toBe(0);
    await click(page, [[x + 15, y + 15]]);
    expect((await state(page)).selected).toEqual([`${painter}520`]);
    await drag(page, [
      [x + 30, y + 30],
      [x + 45, y + 45],
    ]);
    await page.getByTestId("viewer").press("Escape");
    expect(await alpha(x + 45, y + 20)).toBeGreaterThan(180);
    expect(await alpha(x + 30, y + 15)).toBe(0);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
    expect(await alpha(x + 45, y + 20)).toBe(0);
    expect(await alpha(x + 30, y + 15)).toBeGreaterThan(180);
    await page.getByTestId("annotation-list").evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.getByRole("option", { name: /Object 1999/ }).click();
    await expect.poll(async () => (await onScreen(page, 40 + 49 * 55, 40 + 39 * 55)).x).toBeLessThan(1500);
    expect((await state(page)).selected).toEqual([`${painter}1999`]);
  });
}
