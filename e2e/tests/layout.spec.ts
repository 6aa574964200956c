// The main states on the screens people have: nothing sticks out, nothing covers the controls; pictures for the eye.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { settled, storePicture } from "../harness/looks.ts";
import { address, expectExact, openSlide } from "../harness/microscope.ts";

const SCREENS = {
  "1920x1080": { width: 1920, height: 1080 },
  "1366x768": { width: 1366, height: 768 },
  "tablet-portrait": { width: 820, height: 1180 },
  "tablet-landscape": { width: 1180, height: 820 },
};

async function expectNoOverflow(page: Page): Promise<void> {
  const { wide, tall } = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return { wide: scrollWidth - clientWidth, tall: scrollHeight - clientHeight };
  });
  expect(wide).toBeLessThanOrEqual(0);
  if (await page.getByTestId("slide-page").count()) expect(tall).toBeLessThanOrEqual(0);
}

test("on a narrow screen all objectives are seen at once", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openSlide(page, SLIDES.specimen);
  const objectives = page.getByTestId("turret").getByRole("button");
  expect(await objectives.count()).toBeGreaterThan(4);
  for (const objective of await objectives.all()) await expect(objective).toBeInViewport({ ratio: 0.99 });
  const hidden = await page.getByTestId("turret").evaluate((turret) => turret.scrollWidth - turret.clientWidth);
  expect(hidden).toBe(0);
});

test("the gallery fits the screens people have", async ({ page }, info) => {
  await page.goto(address());
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  for (const [name, viewport] of Object.entries(SCREENS)) {
    await page.setViewportSize(viewport);
    await page.evaluate(settled);
    await expectNoOverflow(page);
    await storePicture(page, info.outputPath(`gallery-${name}.png`));
  }
});

test("a slide fits the screens people have, as a whole and at full resolution", async ({ page }, info) => {
  await openSlide(page, SLIDES.specimen);
  for (const [name, viewport] of Object.entries(SCREENS)) {
    await page.setViewportSize(viewport);
    await page.getByRole("button", { name: "Whole slide" }).click();
    await page.waitForFunction(() => window.__wavescope.viewport.state().scale < 0.9);
    await page.evaluate(settled);
    await expectNoOverflow(page);
    for (const control of ["overview", "scale-mark", "fidelity", "focus-slider"]) {
      await expect(page.getByTestId(control), control).toBeInViewport({ ratio: 0.99 });
    }
    await storePicture(page, info.outputPath(`slide-${name}.png`));
    await page.getByRole("button", { name: "Full resolution, 1:1" }).click();
    await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
    await expectExact(page);
    await storePicture(page, info.outputPath(`level-0-${name}.png`));
  }
});
