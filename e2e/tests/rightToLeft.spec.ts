// A page that is written from right to left, with long words (LG7 of shared/spec/languages.md).
import { SLIDES } from "../harness/globalSetup.ts";
import { lookAt } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { pseudo, speakPseudo } from "../harness/pseudoLanguage.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ serviceWorkers: "block" });

const own = sharedService();

test("LG7: nothing is cut off or covered in the gallery and on a slide", async ({ page }) => {
  test.slow();
  await speakPseudo(page);
  await page.goto(own.service.address);
  await expect(page.getByRole("searchbox", { name: pseudo("Search slides") })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe("rtl");
  expect.soft(await lookAt(page, "rtl-gallery"), "gallery").toEqual([]);
  await openSlide(page, SLIDES.specimen, own.service.address, "#x=1400&y=1100&scale=1");
  await page.evaluate(() => window.__wavescope.complete());
  expect.soft(await lookAt(page, "rtl-slide"), "slide").toEqual([]);
  const rail = page.getByTestId("panel-rail").getByRole("button");
  for (let panel = 0; panel < (await rail.count()); panel += 1) {
    await rail.nth(panel).click();
    await page.evaluate(() => window.__wavescope.complete());
    expect.soft(await lookAt(page, `rtl-panel-${panel}`), `panel ${panel}`).toEqual([]);
    await page.keyboard.press("Escape");
  }
});
