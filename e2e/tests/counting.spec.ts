// Counting by mouse, by fingers and by keys: classes, fields, densities, index, what is copied; all of it annotations that survive a reload.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  change,
  clear,
  click,
  drag,
  list,
  onScreen,
  openAnnotations,
  saved,
  show,
  storedAnnotations,
} from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { sharedService } from "../harness/sharedService.ts";
import { smallTargets } from "../harness/targets.ts";

interface Vectors {
  readonly cells: readonly (readonly [number, number, number])[];
  readonly regions: readonly {
    readonly name: string;
    readonly kind: string;
    readonly corners: readonly (readonly [number, number])[];
    readonly positive: number;
    readonly negative: number;
    readonly pixels: number;
  }[];
}

const own = sharedService();

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

const bar = (page: Page) => page.getByTestId("count-bar");
const counted = (page: Page, name: string) => bar(page).getByRole("button", { name: new RegExp(`: count ${name}`) });
const panel = (page: Page) => page.getByTestId("count-panel");
const row = (page: Page, name: string) =>
  page.getByTestId("count-result").getByRole("row", { name: new RegExp(`^${name}`) });
const preset = (page: Page, name: string) => panel(page).getByRole("combobox", { name: "Preset" }).selectOption(name);

async function open(page: Page): Promise<void> {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
  await show(page, 200, 200, 1600, 900);
}

const classes = async (page: Page): Promise<string[]> => (await list(page)).map((one) => one.class);
const mppOf = (page: Page): Promise<number> =>
  page.evaluate(
    async () =>
      ((await (await fetch(`/api/v1/slides/${window.__wavescope.slide().id}`)).json()) as { mpp: { x: number } }).mpp.x,
  );

test("digits choose classes, each click counts, undo takes back, and all is there after a reload (AN32)", async ({
  page,
}) => {
  await open(page);
  await preset(page, "Ki-67 index");
  await panel(page).getByRole("button", { name: "Start counting" }).click();
  await click(page, [
    [600, 400],
    [700, 500],
  ]);
  await page.keyboard.press("2");
  await click(page, [[800, 600]]);
  await page.keyboard.press("1");
  await click(page, [[900, 400]]);
  expect(await classes(page)).toEqual(["Positive", "Positive", "Negative", "Positive"]);
  await expect(counted(page, "Positive")).toHaveText(/3$/);
  await expect(page.getByTestId("count-summary")).toContainText("Index 75.0% of n = 4");
  await page.keyboard.press("Control+z");
  await expect(counted(page, "Positive")).toHaveText(/2$/);
  await click(page, [[600, 400]], ["Alt"]);
  expect(await classes(page)).toEqual(["Positive", "Negative"]);
  await page.keyboard.press("Enter"); // in the middle of the view
  expect(await classes(page)).toEqual(["Positive", "Negative", "Positive"]);
  const { x, y } = await onScreen(page, 1000, 500);
  await page.mouse.dblclick(x, y);
  expect(await classes(page), "a double click counts once").toHaveLength(4);

  await page.keyboard.press("?");
  const map = page.getByTestId("keyboard-map");
  await expect(map.getByText("Count class 2")).toBeVisible();
  await expect(map.getByText("Full resolution", { exact: false })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByTestId("viewer").press("Escape");
  await expect(bar(page)).toHaveCount(0);
  const { scale } = await page.evaluate(() => window.__wavescope.viewport.state());
  await page.keyboard.press("1"); // full resolution again
  await page.waitForFunction((before) => window.__wavescope.viewport.state().scale !== before, scale);

  await saved(page);
  await page.reload();
  await saved(page);
  await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
  await expect(row(page, "Positive")).toContainText("3");
  const stored = await storedAnnotations(own.service.address, SLIDES.specimen);
  expect(stored.map(({ content }) => content!.kind)).toEqual(["point", "point", "point", "point"]);
});

test("in a region the specimen's cells and their density are those of its pixels; copied as a line and a table (AN34, AN36)", async ({
  page,
  context,
}) => {
  const file = new URL("../../shared/vectors/annotations/counting.json", import.meta.url);
  const { cells, regions } = JSON.parse(readFileSync(file, "utf8")) as Vectors;
  const point = ([x, y, positive]: readonly [number, number, number], i: number) => ({
    id: `cell-${i}`,
    revision: 0,
    content: {
      kind: "point",
      geometry: { type: "Point", coordinates: [x, y] },
      class: positive ? "Positive" : "Negative",
    },
  });
  const shape = ({ name, kind, corners }: Vectors["regions"][number]) => ({
    id: `region-${name}`,
    revision: 0,
    content: { kind, name, geometry: { type: "Polygon", coordinates: [[...corners, corners[0]!]] } },
  });
  await change(own.service.address, SLIDES.specimen, [...cells.map(point), ...regions.map(shape)]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  const mpp = await mppOf(page);
  await preset(page, "Ki-67 index");
  for (const { name, kind, corners, positive, negative, pixels } of regions) {
    await page.getByTestId("side-panel").getByText("List", { exact: true }).click();
    await page.getByRole("searchbox", { name: "Search annotations" }).fill(name);
    await page.getByRole("option", { name: new RegExp(name) }).click();
    await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
    await panel(page).getByRole("combobox", { name: "Count in" }).selectOption("Selected annotations");
    const area = kind === "ellipse" ? Math.PI * ((corners[1]![0] - corners[0]![0]) / 2) ** 2 : pixels;
    const mm2 = area * mpp ** 2 * 1e-6;
    for (const [label, n] of [
      ["Positive", positive],
      ["Negative", negative],
    ] as const) {
      await expect(row(page, label).getByRole("cell").nth(0), name).toHaveText(String(n));
      await expect(row(page, label).getByRole("cell").nth(1), name).toHaveText(
        String(Number((n / mm2).toPrecision(4))),
      );
    }
  }
  const last = regions.at(-1)!;
  await panel(page).getByRole("button", { name: "Copy result" }).click();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toContain(`Positive: ${last.positive} (`);
  expect(line).toContain(`of n = ${last.positive + last.negative}`);
  const download = page.waitForEvent("download");
  await panel(page).getByRole("button", { name: "CSV" }).click();
  const table = readFileSync(await (await download).path(), "utf8").split("\r\n");
  expect(table[0]).toBe("\ufeffregion,class,count,area_mm2,field_mm2,per_mm2,per_field,per_10_fields");
  expect(table[1]).toMatch(new RegExp(`^circle,Positive,${last.positive},`));
});

test("fields lie along a line, are numbered, remain after a reload, and mitoses are shown per 10 of them (AN33, AN35)", async ({
  page,
}) => {
  await open(page);
  await preset(page, "Mitoses per 10 HPF");
  await panel(page).getByRole("combobox", { name: "Size of a field" }).selectOption("Area");
  const area = panel(page).getByLabel("Area of a field, mm²");
  await area.fill("");
  await area.pressSequentially("0.002"); // about 50 µm across
  await expect(page.getByTestId("field-area")).toContainText("0.002 mm²");
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("m");
  await drag(page, [
    [400, 500],
    [1600, 500],
  ]);
  await panel(page).getByRole("button", { name: "Place fields along the selected line" }).click();
  const fields = async () => (await list(page)).filter((one) => one.class === "HPF");
  const placed = await fields();
  expect(placed.map(({ name }) => name)).toEqual(placed.map((_, i) => `HPF ${i + 1}`));
  expect(placed.length).toBeGreaterThan(3);
  await panel(page).getByRole("button", { name: "Start counting" }).click();
  await page.keyboard.press("o");
  await expect.poll(async () => (await fields()).length).toBe(placed.length + 1);
  await page.evaluate(() => window.__wavescope.idle());
  await show(page, 200, 200, 1600, 900);
  const [first] = placed;
  const box = first!.parts[0]!;
  const middle = [(box[0]! + box[2]!) / 2, (box[1]! + box[5]!) / 2] as const;
  await click(page, [middle, [middle[0] + 40, middle[1]], [middle[0], middle[1] + 350]]);
  const n = placed.length + 1;
  const cells = row(page, "Mitosis").getByRole("cell");
  await expect(cells.nth(0)).toHaveText("2");
  await expect(cells.nth(3)).toHaveText(String(Number((20 / n).toPrecision(4))));
  await expect(page.getByTestId("count-summary")).toContainText(`Area: ${Number((0.002 * n).toPrecision(4))} mm²`);
  await storePicture(page, "test-results/counting.png");
  await saved(page);
  await page.reload();
  await saved(page);
  await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
  await expect(cells.nth(0)).toHaveText("2");
  await expect(cells.nth(3)).toHaveText(String(Number((20 / n).toPrecision(4))));
});

test("a click places a field and counting goes on; a preset of the user's stays in the browser (AN37)", async ({
  page,
}) => {
  await open(page);
  await panel(page).getByRole("combobox", { name: "Add a class" }).fill("Apoptosis");
  await page.keyboard.press("Enter");
  await panel(page).getByRole("textbox", { name: "Name of the preset" }).fill("Mine");
  await panel(page).getByRole("button", { name: "Save as preset" }).click();
  await preset(page, "Ki-67 index");
  await page.reload();
  await saved(page);
  await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
  await preset(page, "Mine");
  await expect(row(page, "Apoptosis")).toBeVisible();
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("c");
  await bar(page).getByRole("button", { name: "Place fields by click" }).click();
  await show(page, 0, 0, 4000, 3000);
  await click(page, [[1500, 1500]]);
  await page.keyboard.press("2");
  await click(page, [[1600, 1500]]);
  expect(await classes(page)).toEqual(["HPF", "Apoptosis"]);
});

test("axe finds nothing serious while one counts, in light and dark", async ({ page }) => {
  await open(page);
  await panel(page).getByRole("button", { name: "Start counting" }).click();
  await click(page, [[700, 500]]);
  await expectNothingSeriousInEither(page, "counting");
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a tap counts, every control can be tapped, and nothing leaves the screen", async ({ page }) => {
    await openAnnotations(page, SLIDES.specimen, own.service.address);
    await page.getByTestId("side-panel").getByText("Counting", { exact: true }).tap();
    await preset(page, "Ki-67 index");
    await panel(page).getByRole("button", { name: "Start counting" }).tap();
    const { x, y } = (await page.getByTestId("viewer").boundingBox())!;
    await page.touchscreen.tap(x + 150, y + 120);
    await counted(page, "Negative").tap();
    await page.touchscreen.tap(x + 220, y + 90);
    expect(await classes(page)).toEqual(["Positive", "Negative"]);
    expect(await smallTargets(page)).toEqual([]);
    await storePicture(page, "test-results/counting-phone.png");
    const box = (await bar(page).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  });
});
