// Image adjustments: only what is shown changes; what is drawn and stored stays as it was, bit for bit.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { type Adjustments, plain } from "../../frontend/viewer/src/light/adjustments.ts";
import { adjust, gainsOf } from "../../frontend/viewer/src/light/colour.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, openSlide } from "../harness/microscope.ts";

test.use({ viewport: { width: 1920, height: 1080 } }); // holds the slide with a profile at 1:1

const BOX = { x: 420, y: 300, width: 160, height: 120 };

interface Look {
  readonly drawn: number[];
  readonly shown: number[];
}

/** The same pixels of the canvas as drawn and as shown. */
const look = (page: Page, box = BOX): Promise<Look> =>
  page.evaluate(({ x, y, width, height }) => {
    const { readCanvas, readShown } = window.__wavescope;
    return { drawn: [...readCanvas(x, y, width, height).rgba], shown: [...readShown(x, y, width, height).rgba] };
  }, box);

const setLight = (page: Page, adjustments: Adjustments): Promise<void> =>
  page.evaluate((value) => window.__wavescope.light.set(value), adjustments);

/** The greatest difference between what is shown and what the arithmetic says. */
function farthest({ drawn, shown }: Look, adjustments: Adjustments): number {
  const gains = gainsOf(adjustments.white, null);
  let most = 0;
  for (let i = 0; i < drawn.length; i += 4) {
    const [red, green, blue] = drawn.slice(i, i + 3) as [number, number, number];
    const expected = adjust([red / 255, green / 255, blue / 255], adjustments, gains);
    expected.forEach((value, c) => (most = Math.max(most, Math.abs(255 * value - shown[i + c]!))));
  }
  return most;
}

const MILD: Adjustments = {
  ...plain,
  brightness: 0.08,
  contrast: 1.4,
  gamma: 1.2,
  saturation: 0.6,
  white: [236, 232, 240],
};

test("nothing adjusted, nothing lies over the picture; adjusted, the canvas below keeps its pixels", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  const before = await look(page);
  expect(before.shown).toEqual(before.drawn);
  await expect(page.getByTestId("colour-filter")).toHaveCount(0);
  await setLight(page, MILD);
  await expect(page.getByTestId("colour-filter")).toBeVisible();
  await expect(page.getByTestId("light-badge")).toHaveText("Adjusted");
  const adjusted = await look(page);
  expect(adjusted.drawn).toEqual(before.drawn);
  expect(farthest(adjusted, MILD)).toBeLessThanOrEqual(1);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Shift+L");
  await expect(page.getByTestId("colour-filter")).toBeHidden();
  await expect(page.getByTestId("light-badge")).toHaveCount(0);
  expect((await look(page)).shown).toEqual(before.drawn);
});

test("without a graphics processor the processor shows the same colours", { tag: "@static" }, async ({ page }) => {
  await page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: never[]) {
      return kind === "webgl2" ? null : (Reflect.apply(getContext, this, [kind, ...more]) as unknown);
    } as typeof getContext;
  });
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("l");
  await setLight(page, MILD);
  await expect(page.getByTestId("light-panel")).toHaveAttribute("data-filter", "cpu");
  expect(farthest(await look(page), MILD)).toBeLessThanOrEqual(4); // by a table of 33 steps
});

test("the adjusted picture follows while the view moves and a lost graphics processor does not blank it", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await setLight(page, MILD);
  await page.keyboard.press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
  await idle(page);
  const moved = await look(page);
  expect(farthest(moved, MILD)).toBeLessThanOrEqual(1);
  await page
    .getByTestId("colour-filter")
    .evaluate((filter: HTMLCanvasElement) =>
      filter.getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext(),
    );
  await page.keyboard.press("l");
  await expect(page.getByTestId("light-panel")).toHaveAttribute("data-filter", "cpu");
  expect(farthest(await look(page), MILD)).toBeLessThanOrEqual(4);
});

test("sliders answer to keys, say their value and reset one by one and all at once", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen);
  await page.getByRole("button", { name: "Image adjustments" }).click();
  const contrast = page.getByRole("slider", { name: "Contrast" });
  await contrast.focus();
  for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("contrast-value")).toHaveText("112%");
  await expect(contrast).toHaveAttribute("aria-valuetext", /^112\s?%$/);
  await page.getByRole("slider", { name: "Gamma" }).press("ArrowLeft");
  expect(await page.evaluate(() => window.__wavescope.light.read())).toMatchObject({ contrast: 1.116, gamma: 0.984 });
  await page.getByRole("button", { name: "Reset contrast" }).click();
  expect(await page.evaluate(() => window.__wavescope.light.read())).toMatchObject({ contrast: 1, gamma: 0.984 });
  await page.getByRole("button", { name: "Reset all" }).click();
  expect(await page.evaluate(() => window.__wavescope.light.read())).toEqual(plain);
});

test("glass becomes white by a click on it or from the middle of the view, and what is dark is no glass", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.profiled);
  await setLight(page, { ...plain, profile: false });
  await page.keyboard.press("l");
  await expect(page.getByTestId("light-panel")).toBeVisible();
  await idle(page);
  const at = await page.evaluate(() => window.__wavescope.viewport.toCanvas(928, 384));
  await page.getByRole("button", { name: "Pick background" }).click();
  await page.getByTestId("viewer").click({ position: { x: at.canvas_x, y: at.canvas_y } });
  await expect(page.getByRole("img", { name: "Background of 226, 232, 238" })).toBeVisible();
  const spot = { x: Math.round(at.canvas_x), y: Math.round(at.canvas_y), width: 1, height: 1 };
  expect((await look(page, spot)).shown).toEqual([255, 255, 255, 255]);
  expect((await look(page, spot)).drawn).toEqual([226, 232, 238, 255]);
  await page.getByRole("button", { name: "Reset white point" }).click();
  await page.evaluate(() => window.__wavescope.viewport.fit(900, 300, 100, 100));
  await idle(page);
  await page.getByRole("button", { name: "Use centre of view" }).press("Enter");
  await expect(page.getByRole("img", { name: "Background of 226, 232, 238" })).toBeVisible();
  await page.getByRole("button", { name: "Pick background" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Pick background" })).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByTestId("light-panel")).toBeVisible();
});

test("the scanner's profile is applied as LittleCMS does, named, and switched off to the stored pixels", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.profiled);
  await expect(page.getByTestId("light-badge")).toHaveText("ICC");
  const { width, height } = await page.evaluate(() => window.__wavescope.slide());
  const expected = PNG.sync.read(readFileSync(process.env.WAVESCOPE_E2E_SHOWN!));
  expect([expected.width, expected.height]).toEqual([width, height]);
  const colours = await middles(page, width, height);
  expect(colours).toHaveLength(192);
  const differences = colours.flatMap(({ x, y, shown }) =>
    shown.map((value, c) => Math.abs(value - expected.data[4 * (y * width + x) + c]!)),
  );
  expect(Math.max(...differences)).toBeLessThanOrEqual(2);
  expect(
    Math.max(...colours.flatMap(({ shown, drawn }) => shown.map((value, c) => Math.abs(value - drawn[c]!)))),
  ).toBeGreaterThan(10);
  await page.keyboard.press("l");
  await expect(page.getByTestId("profile")).toContainText("Applied: A dull scanner.");
  await page.getByRole("switch", { name: "Scanner colour profile (ICC)" }).click();
  await expect(page.getByTestId("profile")).toContainText("Not applied: A dull scanner. Colours are shown as stored.");
  await expect(page.getByTestId("colour-filter")).toBeHidden();
  expect(await page.evaluate(() => window.__wavescope.light.read())).toEqual({ ...plain, profile: false });
  for (const { shown, drawn } of await middles(page, width, height)) expect(shown).toEqual(drawn);
});

/** The colours in the middle of the squares of 64 pixels that the slide is made of, at 1:1, as shown and as drawn. */
async function middles(page: Page, width: number, height: number) {
  await page.evaluate(() => window.__wavescope.viewport.goTo(0, 0, 0));
  await idle(page);
  return page.evaluate(
    ([width, height]) => {
      const pictures = [
        window.__wavescope.readShown(0, 0, width, height),
        window.__wavescope.readCanvas(0, 0, width, height),
      ];
      const found: { x: number; y: number; shown: number[]; drawn: number[] }[] = [];
      for (let y = 32; y < height; y += 64) {
        for (let x = 32; x < width; x += 64) {
          const [shown, drawn] = pictures.map(({ rgba }) => [
            ...rgba.slice(4 * (y * width + x), 4 * (y * width + x) + 4),
          ]);
          found.push({ x, y, shown: shown!, drawn: drawn! });
        }
      }
      return found;
    },
    [width, height] as const,
  );
}

test("a link carries the light, and only what is adjusted", { tag: "@static-link" }, async ({ page, context }) => {
  await openSlide(page, SLIDES.specimen);
  await setLight(page, { ...plain, gamma: 1.3 });
  await expect(page).toHaveURL(/light=%7B%22gamma%22%3A1.3%7D$/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByTestId("light-badge")).toHaveText("Adjusted");
  expect(await other.evaluate(() => window.__wavescope.light.read())).toEqual({ ...plain, gamma: 1.3 });
});

test("a slide without a profile says so", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("l");
  await expect(page.getByTestId("profile")).toContainText("No profile in this slide. Assuming sRGB");
  await expect(page.getByRole("switch", { name: "Scanner colour profile (ICC)" })).toBeDisabled();
});
