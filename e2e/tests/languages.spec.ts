// The page in German: by the browser's choice and by the setting, numbers and problems, and on every screen (shared/spec/languages.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { START, lookAt } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
const HERE = "#x=1400&y=1000&scale=0.5";

test.use({ viewport: START, contextOptions: { reducedMotion: "reduce" } });

const rail = (page: Page) => page.getByTestId("panel-rail").getByRole("button");

test.describe("a browser of Switzerland", () => {
  test.use({ locale: "de-CH" });

  test("LG1 to LG3: the page is in German, with the numbers of the place", async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(own.service.address);
    await expect(page.getByRole("searchbox", { name: "Präparate suchen" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    expect(asked.filter((url) => /\/de-[^/]*\.js$/.test(url))).toHaveLength(1);
    await openSlide(page, SLIDES.specimen, own.service.address, HERE);
    await page.getByRole("button", { name: "Präparatinformationen" }).click();
    const panel = page.getByTestId("side-panel");
    await expect(panel).toContainText("Pixel");
    await expect(panel).toContainText(/\d[.’]\d{3}/); // 2’400, or 0.25 of this country
  });

  test("LG5: a problem is explained in German", async ({ page }) => {
    const body = JSON.stringify({
      type: "/problems/corrupt-store",
      title: "Damaged",
      status: 500,
      detail: "Not read.",
    });
    await page.route(/\/api\/v1\/slides\/broken/, (route) =>
      route.fulfill({ status: 500, contentType: "application/problem+json", body }),
    );
    await page.goto(`${own.service.address}/slides/broken`);
    await expect(page.getByText("Das gespeicherte Präparat ist beschädigt")).toBeVisible();
  });
});

test("LG1, LG3: English loads no other language; the setting chooses German and English again", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await openSlide(page, SLIDES.specimen, own.service.address, HERE);
  await page.evaluate(() => window.__wavescope.complete());
  expect(asked.filter((url) => /\/de-[^/]*\.js$/.test(url))).toEqual([]);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByText("Deutsch", { exact: true }).click();
  await expect(page.getByRole("button", { name: "Einstellungen", exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Einstellungen", exact: true }).click();
  await page.getByText("English", { exact: true }).click();
  await expect(page.getByRole("button", { name: "Settings", exact: true })).toBeVisible();
});

test.describe("a German browser", () => {
  test.use({ locale: "de-DE" });

  test("LG10: a number that is pasted may have a point or a comma", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openSlide(page, SLIDES.specimen, own.service.address, HERE);
    await page.getByTestId("rotation").click();
    const angle = page.getByRole("dialog").getByRole("textbox");
    for (const [copied, shown] of [
      ["12.5", "12,5°"],
      ["7,5", "7,5°"],
    ] as const) {
      await angle.selectText();
      await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
      await page.keyboard.press("Control+V");
      await expect(angle).toHaveValue(shown);
      await expect(page).toHaveURL(new RegExp(`rotation=${copied.replace(",", ".")}`));
    }
  });

  test("LG6: nothing is cut off on any screen in the gallery and the panels of a slide", async ({ page }) => {
    test.slow();
    await page.goto(own.service.address);
    await expect(page.getByRole("searchbox", { name: "Präparate suchen" })).toBeVisible();
    const found = await lookAt(page, "de-gallery");
    await openSlide(page, SLIDES.specimen, own.service.address, HERE);
    await page.evaluate(() => window.__wavescope.complete());
    found.push(...(await lookAt(page, "de-slide")));
    for (let panel = 0; panel < (await rail(page).count()); panel += 1) {
      const button = rail(page).nth(panel);
      const name = (await button.getAttribute("aria-label")) ?? (await button.innerText());
      await button.click();
      await page.evaluate(() => window.__wavescope.complete());
      found.push(...(await lookAt(page, `de-${name.toLowerCase().replaceAll(/[^a-zäöü]+/g, "-")}`)));
      await page.keyboard.press("Escape");
    }
    expect(found).toEqual([]);
  });
});
