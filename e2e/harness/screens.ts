// The screens people have.
import { type Page, type TestInfo, expect } from "@playwright/test";
import { SPOKEN } from "./language.ts";
import { storePicture } from "./looks.ts";

export const SCREENS = {
  "1920x1080": { width: 1920, height: 1080 },
  "1366x768": { width: 1366, height: 768 },
  "768x1024": { width: 768, height: 1024 },
  "1024x768": { width: 1024, height: 768 },
};

/** Nothing of the page sticks out sideways on any of them; a picture of each for the eye. */
export async function expectFitsScreens(
  page: Page,
  info: TestInfo,
  name: string,
  check: () => Promise<void> = async () => {},
): Promise<void> {
  if (SPOKEN) return storePicture(page, info.outputPath(`${name}.png`));
  const before = page.viewportSize()!;
  for (const [size, screen] of Object.entries(SCREENS)) {
    await page.setViewportSize(screen);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, `${name} at ${size}: pixels that stick out`).toBeLessThanOrEqual(0);
    await check();
    await storePicture(page, info.outputPath(`${name}-${size}.png`));
  }
  await page.setViewportSize(before);
}
