// What a person does first: open a slide from the gallery, go from the whole slide to full resolution, move, focus.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { STATIC } from "../harness/exports.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import {
  LOOKED_AT,
  address,
  expectExact,
  needs,
  openSlide,
  slideIsOpen,
  slideOf,
  tileState,
  viewState,
} from "../harness/microscope.ts";

/** From its address where there is no gallery. */
async function openFromGallery(page: Page, slide: string): Promise<void> {
  if (STATIC) return openSlide(page, slide);
  await page.goto(address());
  await page.locator(`[data-testid=slide-card][data-slide-id="${slide}"] a`).click();
  await expect(page).toHaveURL(new RegExp(`/slides/${slide}$`));
  await slideIsOpen(page);
}

for (const slide of LOOKED_AT) {
  test(`${slide} opens from the gallery, zooms from the whole slide to level 0 and pans`, { tag: "@static" }, async ({
    page,
  }) => {
    needs(slide);
    await openFromGallery(page, slide);
    const { width, height } = await slideOf(page);
    const whole = await viewState(page);
    expect(whole.l0_width).toBeGreaterThanOrEqual(width * 0.99);
    expect(whole.l0_height).toBeGreaterThanOrEqual(height * 0.99);
    await expectExact(page);

    await page.getByRole("button", { name: "Full resolution, 1:1" }).click();
    await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
    await expectExact(page);
    expect((await tileState(page)).map((tile) => tile.level)).toEqual(expect.arrayContaining([0]));
    expect((await viewState(page)).level).toBe(0);

    const before = await viewState(page);
    const viewer = (await page.getByTestId("viewer").boundingBox())!;
    const [x, y] = [viewer.x + viewer.width / 2, viewer.y + viewer.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 150, y - 90, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction((left) => window.__wavescope.viewport.state().l0_x > left + 100, before.l0_x);
    await expectExact(page);
  });

  test(`${slide} goes through its levels with the wheel, each exact in the end`, { tag: "@static" }, async ({
    page,
  }) => {
    needs(slide);
    await openFromGallery(page, slide);
    const viewer = (await page.getByTestId("viewer").boundingBox())!;
    await page.mouse.move(viewer.x + viewer.width / 2, viewer.y + viewer.height / 2);
    const seen = new Set<number>();
    for (let i = 0; i < 12 && !seen.has(0); i++) {
      await expectExact(page);
      seen.add((await viewState(page)).level);
      const { scale } = await viewState(page);
      await page.mouse.wheel(0, -240);
      await page.waitForFunction((before) => window.__wavescope.viewport.state().scale > before * 1.05, scale);
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining([0, 1]));
  });
}

test("the focal plane changes by the slider, the picture changes with it and comes back the same", {
  tag: "@static",
}, async ({ page }) => {
  await openFromGallery(page, SLIDES.specimen);
  const middle = await viewState(page);
  const picture = () =>
    page.evaluate(() => {
      const { rgba } = window.__wavescope.readCanvas(400, 250, 500, 300); // tissue: glass is the same in all planes
      return rgba.join();
    });
  const plane = middle.plane;
  await page.getByRole("button", { name: "Full resolution, 1:1" }).click();
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
  await expectExact(page);
  const sharp = await picture();
  const other = plane === 0 ? 1 : plane - 1;
  await page.getByTestId("focus-slider").fill(String(other));
  await page.waitForFunction((z) => window.__wavescope.viewport.state().plane === z, other);
  await expectExact(page);
  expect((await tileState(page)).every((tile) => tile.z === other && tile.plane === other)).toBe(true);
  expect(await picture()).not.toBe(sharp);
  await page.getByTestId("focus-slider").fill(String(plane));
  await page.waitForFunction((z) => window.__wavescope.viewport.state().plane === z, plane);
  await expectExact(page);
  expect(await picture()).toBe(sharp);
});

test("the gallery finds a slide by its name, shows its size and a thumbnail", async ({ page }) => {
  await page.goto(address());
  const cards = page.getByTestId("slide-card");
  await expect(cards.first()).toBeVisible();
  const all = await cards.count();
  expect(all).toBeGreaterThanOrEqual(3);
  await page.getByRole("searchbox", { name: "Search slides" }).fill("fiduc");
  await expect(cards).toHaveCount(1);
  await expect(cards.first()).toContainText("4,096 × 3,072 px");
  await expect
    .poll(() =>
      cards
        .first()
        .locator("img")
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBeGreaterThan(100);
  await page.getByRole("searchbox", { name: "Search slides" }).fill("no such slide");
  await expect(page.getByText("Nothing found")).toBeVisible();
});

test("scale bar, magnification, fidelity and overview are on the slide's page", {
  tag: "@static",
}, async ({ page }) => {
  await openFromGallery(page, SLIDES.specimen);
  await expect(page.getByTestId("fidelity")).toHaveAttribute("data-fidelity", "exact");
  await expect(page.getByTestId("scale-bar")).toContainText(/(µm|mm)/);
  await expect(page.getByTestId("magnification")).toContainText("×");
  await expect(page.getByTestId("overview-mark")).toBeVisible();
});

test("the status says where the pointer is, in mm; what was fetched is with the information", {
  tag: "@static",
}, async ({ page }) => {
  await openFromGallery(page, SLIDES.specimen);
  const position = page.getByTestId("pointer-position");
  await expect(position).toHaveText("");
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.move(viewer.x + viewer.width / 2, viewer.y + viewer.height / 2);
  await expect(position).toHaveText(/^x \d+\.\d{3} y \d+\.\d{3}\smm$/);
  const there = await page.evaluate(() => {
    const { l0_x, l0_y } = window.__wavescope.viewport.viewLink();
    return [l0_x, l0_y].map((value) => (value * 0.25) / 1000);
  });
  const [, x, y] = /x (\S+) y (\S+)/.exec((await position.textContent())!)!;
  expect(Math.hypot(Number(x) - there[0]!, Number(y) - there[1]!)).toBeLessThan(0.005);
  await page.mouse.wheel(0, -600); // the slide moves under the pointer
  await page.keyboard.press("ArrowRight");
  await expect(position).not.toHaveText(`x ${x} y ${y} mm`);
  await page.mouse.move(4, 4);
  await expect(position).toHaveText("");
  await expect(page.getByTestId("traffic-meter")).toHaveCount(0);
  await page.getByRole("button", { name: "Slide information" }).click();
  await expect(page.getByTestId("side-panel")).toContainText(/Fetched\s*[\d.]+\s[kM]?B in/);
});
