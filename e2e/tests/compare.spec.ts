// Two slides side by side: linked, with their offset kept; how one gets there and back.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import type { TestHooks } from "../../frontend/app/src/testHooks.ts";
import { address, openSlide, viewState } from "../harness/microscope.ts";
import { lookAt } from "../harness/looks.ts";
import {
  centreOf,
  drag,
  expectSameOffset,
  offsetOf,
  openComparison,
  comparisonIdle,
  comparisonIsOpen,
  seen,
} from "../harness/comparison.ts";

declare global {
  interface Window {
    /** What was seen in the frames so far; looking ends when `going` is false. */
    noted: { going: boolean; frames: number; different: number; pictures: Set<string> };
  }
}

test.use({ viewport: { width: 1280, height: 800 } });

/** Notes in every frame whether both pictures are the same, and how many different ones there were. */
async function watchFrames(
  page: Page,
): Promise<() => Promise<{ frames: number; different: number; pictures: number }>> {
  await page.evaluate(() => {
    const noted = { going: true, frames: 0, different: 0, pictures: new Set<string>() };
    window.noted = noted;
    const look = (): void => {
      const [A, B] = window.__wavescope.comparison! as [TestHooks, TestHooks];
      const [one, other] = [A, B].map((scope) => scope.readCanvas(300, 300, 64, 64).rgba.join());
      noted.frames += 1;
      noted.different += one === other ? 0 : 1;
      noted.pictures.add(one!);
      if (noted.going) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const { noted } = window;
      noted.going = false;
      return { frames: noted.frames, different: noted.different, pictures: noted.pictures.size };
    });
}

for (const side of ["A", "B"] as const) {
  test(`the other slide follows the ${side} one in the same frame, pixel by pixel`, async ({ page }) => {
    await openComparison(page, SLIDES.planes, SLIDES.planes);
    const stop = await watchFrames(page);
    await drag(page, side, 60, 40);
    const { different, pictures } = await stop();
    expect(pictures).toBeGreaterThan(5);
    expect(different).toBe(0);
  });
}

test("panning, zooming and focusing on either side keep the offset", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  const start = offsetOf(await seen(page));
  expect(start).toMatchObject({ ratio: 1, planes: 2 });
  await drag(page, "A", -70, 50);
  expectSameOffset(start, offsetOf(await seen(page)), (await seen(page)).A.scale);
  const before = await seen(page);
  const viewer = (await page.getByTestId("viewer-B").boundingBox())!;
  await page.mouse.move(viewer.x + 250, viewer.y + 400);
  await page.mouse.wheel(0, -480);
  await page.waitForFunction(
    (scale) => window.__wavescope.comparison![0]!.viewport.state().scale > 1.2 * scale,
    before.A.scale,
  );
  await comparisonIdle(page);
  expectSameOffset(start, offsetOf(await seen(page)), (await seen(page)).A.scale);

  const slider = page.getByRole("region", { name: /^B: / }).getByTestId("focus-slider");
  await slider.fill("2");
  await page.waitForFunction(() => window.__wavescope.comparison![0]!.viewport.state().plane === 0);
  await slider.fill("6"); // beyond what A has: it stays at its last plane and keeps the difference
  await page.waitForFunction(() => window.__wavescope.comparison![0]!.viewport.state().plane === 2);
  await slider.fill("3");
  await page.waitForFunction(() => window.__wavescope.comparison![0]!.viewport.state().plane === 1);
  expectSameOffset(start, offsetOf(await seen(page)), (await seen(page)).A.scale);
});

test("a difference of rotation is kept, whichever slide is turned", async ({ page }) => {
  await openComparison(
    page,
    SLIDES.specimen,
    SLIDES.planes,
    "#a.x=1450&a.y=1100&a.scale=0.4&b.x=900&b.y=700&b.scale=0.4&b.rotation=30",
  );
  const start = offsetOf(await seen(page));
  expect(start.rotation).toBe(330);
  await drag(page, "B", 90, 30);
  expectSameOffset(start, offsetOf(await seen(page)), 0.4);
  await page.getByTestId("viewer-A").focus();
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.__wavescope.comparison![0]!.viewport.state().rotation > 0);
  await comparisonIdle(page);
  const turned = await seen(page);
  expect(turned.B.rotation).not.toBe(30);
  expectSameOffset(start, offsetOf(turned), 0.4);
});

test("unlinked, each is moved by itself; linked again, the new offset is kept; centres can be aligned", async ({
  page,
}) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  await page.getByRole("button", { name: "Linked" }).click();
  await expect(page.getByTestId("link-status")).toContainText("Not linked");
  const apart = await seen(page);
  await drag(page, "B", -80, 20);
  const moved = await seen(page);
  expect(moved.A).toEqual(apart.A);
  expect(centreOf(moved.B)[0]).toBeGreaterThan(centreOf(apart.B)[0] + 100);
  await page.getByTestId("viewer-B").press("l");
  await expect(page.getByTestId("link-status")).toContainText("B shifted by");
  const offset = offsetOf(await seen(page));
  await drag(page, "A", 50, 60);
  const both = await seen(page);
  expect(centreOf(both.A)[0]).toBeLessThan(centreOf(apart.A)[0] - 50);
  expectSameOffset(offset, offsetOf(both), both.A.scale);
  await page.getByRole("button", { name: "Align centres" }).click();
  await expect(page.getByTestId("link-status")).toContainText("at centre");
  const aligned = offsetOf(await seen(page));
  expectSameOffset({ ...aligned, l0_dx: (1800 - 2900) / 2, l0_dy: (1400 - 2330) / 2 }, aligned, 1);
});

test("a reload restores both places, the offset and the mode", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  await page.getByTestId("viewer-A").press("l");
  await drag(page, "B", -80, 20);
  await page.getByTestId("viewer-B").press("l");
  await drag(page, "A", 30, 40);
  await page.getByText("Swipe", { exact: true }).click();
  await page.getByTestId("divider").press("Shift+ArrowLeft");
  await expect(page).toHaveURL(/mode=swipe#.*divider=0\.4/);
  await comparisonIdle(page);
  const before = await seen(page);
  const words = await page.getByTestId("link-status").textContent();
  await page.reload();
  await comparisonIsOpen(page);
  const after = await seen(page);
  for (const side of ["A", "B"] as const) {
    expect(centreOf(after[side])[0] - centreOf(before[side])[0]).toBeCloseTo(0, 0);
    expect(centreOf(after[side])[1] - centreOf(before[side])[1]).toBeCloseTo(0, 0);
    expect(after[side].scale / before[side].scale).toBeCloseTo(1, 4);
  }
  expectSameOffset(offsetOf(before), offsetOf(after), after.A.scale);
  await expect(page.getByTestId("link-status")).toHaveText(words!);
  await expect(page.getByTestId("divider")).toHaveAttribute("aria-valuenow", "40");
});

test("a slide is compared with itself from its page, at its place; back leads there again", async ({ page }) => {
  await openSlide(page, SLIDES.planes, address(), "#x=700&y=500&scale=0.8&plane=5");
  await page.getByRole("button", { name: "Compare with another slide" }).click();
  const choices = page.getByTestId("slide-choices");
  await page.getByRole("searchbox", { name: "Search slides" }).fill(SLIDES.planes);
  await expect(choices.getByRole("button")).toHaveCount(1);
  await choices.getByRole("button").click();
  await comparisonIsOpen(page);
  const { A, B } = await seen(page);
  expect(centreOf(A).map(Math.round)).toEqual([700, 500]);
  expect([A.scale, A.plane]).toEqual([0.8, 5]);
  expectSameOffset({ l0_dx: 0, l0_dy: 0, rotation: 0, ratio: 1, planes: 0 }, offsetOf({ A, B }), 1);
  await page.goBack();
  await page.waitForFunction(() => window.__wavescope.page === "slide");
  expect((await viewState(page)).plane).toBe(5);
});

test("two slides chosen in the gallery are compared; either can be changed for another", async ({ page }) => {
  await page.goto(address());
  for (const id of [SLIDES.specimen, SLIDES.planes]) {
    await page.locator(`[data-testid=slide-card][data-slide-id="${id}"]`).getByRole("checkbox").check();
  }
  await page.getByTestId("selection-bar").getByRole("button", { name: "Compare" }).click();
  await comparisonIsOpen(page);
  await expect(page).toHaveURL(new RegExp(`slide=${SLIDES.specimen}&slide=${SLIDES.planes}`));
  await page
    .getByRole("region", { name: /^B: / })
    .getByRole("button", { name: "Synthetic specimen", exact: true })
    .click();
  await page.locator(`[data-testid=slide-choices] [data-slide-id="${SLIDES.fiducial}"]`).click();
  await page.waitForFunction((id) => window.__wavescope.comparison?.[1]!.slide().id === id, SLIDES.fiducial);
  await page.goBack();
  await page.waitForFunction((id) => window.__wavescope.comparison?.[1]!.slide().id === id, SLIDES.planes);
});

test("two microscopes share the device's memory", async ({ page }) => {
  await openComparison(page, SLIDES.large, SLIDES.specimen);
  const workers = await page.evaluate(async () => {
    const [A, B] = window.__wavescope.comparison! as [TestHooks, TestHooks];
    return [(await A.memory()).workers, (await B.memory()).workers, navigator.hardwareConcurrency] as const;
  });
  expect(workers[0] + workers[1]).toBeLessThanOrEqual(Math.max(2, Math.min(workers[2] - 1, 4)));
});

test("titles are shown with their descenders and underscores", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  const label = page.locator("[class*=title] .mantine-Button-label").first();
  const { height, font } = await label.evaluate((one) => ({
    height: one.getBoundingClientRect().height,
    font: Number.parseFloat(getComputedStyle(one).fontSize),
  }));
  expect(height).toBeGreaterThanOrEqual(1.4 * font);
  expect(await lookAt(page, "compare-titles")).toEqual([]);
});
