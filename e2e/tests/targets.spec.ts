// Fingers: every control of a page can be tapped, also the checkbox of a card that is not hovered.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openAnnotations, tool } from "../harness/annotating.ts";
import { openComparison } from "../harness/comparison.ts";
import { storePicture } from "../harness/looks.ts";
import { address, openSlide } from "../harness/microscope.ts";
import { smallTargets } from "../harness/targets.ts";

const SCREENS = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 768 },
];

test.use({ hasTouch: true });

for (const viewport of SCREENS) {
  const size = `${viewport.width}x${viewport.height}`;
  test(`every target reaches 44 pixels on ${size} (PG53)`, async ({ page }, info) => {
    await page.setViewportSize(viewport);
    const small: Record<string, string[]> = {};
    const look = async (name: string): Promise<void> => {
      await storePicture(page, info.outputPath(`${name}-${size}.png`));
      small[name] = await smallTargets(page);
    };
    await page.goto(address());
    await expect(page.getByTestId("slide-card").first()).toBeVisible();
    await look("gallery");
    await openSlide(page, SLIDES.planes);
    await look("slide");
    for (const button of await page.getByTestId("panel-rail").getByRole("button").all()) {
      await button.scrollIntoViewIfNeeded();
      await button.tap();
      await expect(page.getByTestId("side-panel")).toBeVisible();
      await look((await button.getAttribute("aria-label"))!);
      await button.tap();
    }
    await openAnnotations(page, SLIDES.planes);
    await tool(page, "Polygon").tap();
    await look("drawing");
    await openComparison(page, SLIDES.specimen, SLIDES.planes);
    await look("compare");
    const found = Object.entries(small).flatMap(([name, all]) => [...new Set(all)].map((one) => `${name}: ${one}`));
    expect(found).toEqual([]);
  });
}

const chosen = (page: Page) => page.locator("[data-testid=slide-card][data-chosen]");

test("the checkbox of a card is seen without hovering, and one tap on it selects", async ({ page }) => {
  await page.goto(address());
  const card = page.getByTestId("slide-card").first();
  const box = card.getByRole("checkbox");
  await expect(box).toBeVisible();
  expect(await box.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true);
  await box.tap();
  await expect(chosen(page)).toHaveCount(1);
});
