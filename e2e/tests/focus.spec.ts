// Focal planes: by the wheel with a key, by themselves, and all of them in one computed picture.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { pinch } from "../harness/fingers.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, storePicture } from "../harness/looks.ts";
import { expectExact, idle, openSlide } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: SIZES.laptop });

const PLANES = 7;
const VIEW = "#x=900&y=700&scale=1&plane=3";
const plane = (page: Page): Promise<number> => page.evaluate(() => window.__wavescope.viewport.viewLink().plane);
const focus = (page: Page) => page.getByRole("group", { name: "Focus" });
const play = (page: Page) => focus(page).getByRole("button", { name: "Play through the focal planes" });
const extended = (page: Page) => focus(page).getByRole("button", { name: "Extended depth of field" });
const badge = (page: Page) => page.getByTestId("focus-badge");

/** How much neighbouring pixels of the tile differ, on average, in each of its planes, and as it is computed now. */
const sharpness = (page: Page, z: number): Promise<number> =>
  page.evaluate(async (z) => {
    const { width, rgba } = await window.__wavescope.decodePixels(
      { z, level: 0, x: 3, y: 2 },
      window.__wavescope.slide().layers,
    );
    let sum = 0;
    for (let i = 4 * width; i < rgba.length - 4 * width; i += 4)
      sum += Math.abs(4 * rgba[i]! - rgba[i - 4]! - rgba[i + 4]! - rgba[i - 4 * width]! - rgba[i + 4 * width]!);
    return sum / rgba.length;
  }, z);

test("the wheel with a key focuses, a trackpad's stream by as much as it moves (ZS1)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  await page.mouse.move(600, 400);
  await page.keyboard.down("Alt");
  await page.mouse.wheel(0, -100); // a notch
  await expect.poll(() => plane(page)).toBe(4);
  const seen = new Set<number>();
  for (let i = 0; i < 48; i++) {
    await page.mouse.wheel(0, 5); // 240 pixels: four planes
    seen.add(await page.evaluate(() => window.__wavescope.viewport.viewLink().plane));
  }
  await expect.poll(() => plane(page)).toBe(0);
  await page.keyboard.up("Alt");
  await idle(page);
  expect([...seen].sort().length, "no plane is jumped over").toBeGreaterThanOrEqual(4);
  const { scale } = await page.evaluate(() => window.__wavescope.viewport.viewLink());
  expect(scale).toBeCloseTo(1, 3);
});

test("the planes play by a button or a key, faster on request, and stop at any input (ZS2)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  await play(page).click();
  await expect(play(page)).toHaveAttribute("aria-pressed", "true");
  const seen = new Set<number>();
  await expect.poll(async () => seen.add(await plane(page)).size, { intervals: [100], timeout: 30_000 }).toBe(PLANES);
  await focus(page).getByRole("button", { name: "Speed: 2 planes per second" }).click();
  await expect(focus(page).getByRole("button", { name: "Speed: 4 planes per second" })).toBeVisible();
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 10);
  await expect(play(page)).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Shift+K");
  await expect(play(page)).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Shift+K");
  await expect(play(page)).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Shift+K");
  await page.keyboard.press("ArrowLeft");
  await expect(play(page)).toHaveAttribute("aria-pressed", "false");
});

test("where motion is to be reduced nothing plays (ZS2)", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  await page.keyboard.press("Shift+K");
  await expect(page.getByText("Your system asks for reduced motion")).toBeVisible();
  await expect(play(page)).toHaveAttribute("aria-pressed", "false");
});

test("extended depth of field is sharper than every plane, says that it is computed, and ends with another plane (ZS3 to ZS6)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  const single: number[] = [];
  for (let z = 0; z < PLANES; z++) single.push(await sharpness(page, z));
  await expect(badge(page)).toHaveCount(0);
  await page.keyboard.press("Shift+Z");
  await expect(badge(page)).toHaveText("Extended depth of field (computed)");
  await expectExact(page);
  const computed = await sharpness(page, 3);
  expect(computed).toBeGreaterThan(Math.max(...single));
  expect(await sharpness(page, 0), "whatever plane was looked at").toBe(computed);
  const drawn = await page.evaluate(() => [...window.__wavescope.readCanvas(500, 300, 64, 64).rgba]);
  await page.keyboard.press("Shift+Z");
  await expect(badge(page)).toHaveCount(0);
  await expectExact(page);
  const plain = await page.evaluate(() => [...window.__wavescope.readCanvas(500, 300, 64, 64).rgba]);
  expect(plain).not.toEqual(drawn);
  expect(await sharpness(page, 3)).toBe(single[3]);
  await extended(page).click();
  await expect(badge(page)).toBeVisible();
  await page.keyboard.press("]");
  await expect(badge(page)).toHaveCount(0);
  await expect.poll(() => plane(page)).toBe(4);
});

test("extended depth of field is a part of links and bookmarks, and named on a copied picture (ZS7)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  await page.keyboard.press("Shift+Z");
  await expect(badge(page)).toBeVisible();
  await expect(page).toHaveURL(/light=.*extended/);
  await expectExact(page);
  const computed = await sharpness(page, 3);
  await page.keyboard.press("Shift+B");
  await page.reload();
  await expect(badge(page)).toBeVisible();
  await expectExact(page);
  expect(await sharpness(page, 3)).toBe(computed);
  await page.keyboard.press("]");
  await expect(badge(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/extended/);
  await page.keyboard.press("b");
  await page.getByTestId("bookmark").first().getByRole("button").first().click();
  await expect(badge(page)).toBeVisible();
  await expect.poll(() => plane(page)).toBe(3);
});

test("axe finds nothing while planes play into extended depth of field, by keyboard alone", async ({ page }) => {
  await openSlide(page, SLIDES.planes, undefined, VIEW);
  await extended(page).focus();
  await page.keyboard.press("Enter");
  await expect(badge(page)).toBeVisible();
  await expectExact(page);
  await expectNothingSeriousInEither(page, "extended depth of field");
});

for (const [name, viewport] of Object.entries(SIZES))
  test.describe(name, () => {
    test.use({ viewport, hasTouch: true });

    test(`the focus on a ${name}: taps play and compute, two fingers stop it and zoom`, async ({ page }) => {
      await openSlide(page, SLIDES.planes, undefined, VIEW);
      await play(page).tap();
      await expect(play(page)).toHaveAttribute("aria-pressed", "true");
      await expect.poll(() => plane(page)).not.toBe(3);
      const before = await page.evaluate(() => window.__wavescope.viewport.viewLink().scale);
      await pinch(page, viewport.width / 2 - 40, viewport.height / 2 + 120);
      await expect(play(page)).toHaveAttribute("aria-pressed", "false");
      await page.waitForFunction((scale) => window.__wavescope.viewport.viewLink().scale > 1.2 * scale, before);
      await extended(page).tap();
      await expect(badge(page)).toBeInViewport({ ratio: 1 });
      await expectExact(page);
      for (const button of await focus(page).getByRole("button").all())
        await expect(button).toBeInViewport({ ratio: 1 });
      await storePicture(page, `test-results/focus-${name}.png`);
    });
  });
