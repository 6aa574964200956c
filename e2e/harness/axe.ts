// What axe says of a page.
import AxeBuilder from "@axe-core/playwright";
import { type Page, expect } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Nothing that axe calls serious or critical on the page as it comes to rest: what fades in may be read too faint before its
 * transition has begun, so axe looks again until it is content; what it goes on to find fails.
 */
export async function expectNothingSerious(page: Page, place: string): Promise<void> {
  await expect(async () => {
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
    expect(page.frames(), "frames of the page").toHaveLength(1);
    // of one frame this mode finds the same; the other one opens a blank page for each result
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const found = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ""}`),
    );
    expect(found, place).toEqual([]);
  }).toPass({ timeout: 30_000 });
}
