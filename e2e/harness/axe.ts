// What axe says of a page.
import AxeBuilder from "@axe-core/playwright";
import { type Page, expect } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules whose outcome depends on colours: all others find in the dark scheme what they find in the light one. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Nothing that axe calls serious or critical on the page as it comes to rest: what fades in may be read too faint before its
 * transition has begun, so axe looks again until it is content; what it goes on to find fails.
 */
export async function expectNothingSerious(page: Page, place: string, rules?: readonly string[]): Promise<void> {
  await expect(async () => {
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
    expect(page.frames(), "frames of the page").toHaveLength(1);
    // of one frame this mode finds the same; the other one opens a blank page for each result
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(TAGS)).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const found = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ""}`),
    );
    expect(found, place).toEqual([]);
  }).toPass({ timeout: 30_000 });
}

/** In the light scheme, then in the dark one; the page is light again then. */
export async function expectNothingSeriousInEither(page: Page, place: string): Promise<void> {
  const show = async (colorScheme: "light" | "dark"): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
  };
  await show("light");
  await expectNothingSerious(page, `${place}, light`);
  await show("dark");
  await expectNothingSerious(page, `${place}, dark`, COLOURS);
  await show("light");
}
