// The view in words: what a screen reader is given of the picture, its description and the live region, as Chromium's accessibility tree has them.
import type { Page } from "@playwright/test";
import { change } from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { comparisonIdle, openComparison } from "../harness/comparison.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, closed, lookAt } from "../harness/looks.ts";
import { idle, openSlide } from "../harness/microscope.ts";
import { addOverlay, overlaysSettled } from "../harness/overlaying.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

declare global {
  interface Window {
    /** What the live regions of pictures said, and milliseconds since the view had moved. */
    spoken: { readonly text: string; readonly rested: number }[];
  }
}

test.use({ viewport: SIZES.laptop });

const own = sharedService();
const VIEW = "#x=1450&y=1165&scale=1";
/** By its key, as who uses no pointer does. */
const focusPicture = (page: Page): Promise<void> => page.keyboard.press("Control+Enter");
const said = (page: Page) => page.getByTestId("said");
const summary = (page: Page) => page.getByTestId("view-summary");

/** Notes all that is said from now on. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.spoken = [];
    let [place, since] = ["", performance.now()];
    const look = (): void => {
      const now = JSON.stringify(window.__wavescope.viewport.state());
      if (now !== place) [place, since] = [now, performance.now()];
      requestAnimationFrame(look);
    };
    look();
    const region = document.querySelector("[data-testid=said]")!;
    new MutationObserver(() => {
      window.spoken.push({ text: region.textContent, rested: performance.now() - since });
    }).observe(region, { childList: true, subtree: true, characterData: true });
  });
const spoken = (page: Page) => page.evaluate(() => window.spoken.filter(({ text }) => text !== ""));

/** Waits until such words were said; gives all that was said with them, and forgets what was said so far. */
async function waitForWords(page: Page, words: RegExp): Promise<string> {
  let text: string | undefined;
  await expect
    .poll(async () => (text = (await spoken(page)).find((one) => words.test(one.text))?.text), {
      message: String(words),
    })
    .toBeDefined();
  await page.evaluate(() => (window.spoken = []));
  return text!;
}

/** What the accessibility tree has of a role. */
async function inTree(page: Page, role: string) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored && node.role?.value === role)
    .map(({ name, description, properties }) => ({
      name: String(name?.value ?? ""),
      description: String(description?.value ?? ""),
      live: properties?.find((one) => one.name === "live")?.value.value as unknown,
    }));
}

test("keys that move the picture are answered once it rests, with what changed alone (PG107, PG109)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.planes, undefined, "#x=900&y=700&scale=1&plane=3");
  const [outer, picture] = await inTree(page, "application");
  expect(outer!.name).toBe("");
  expect(await page.getByTestId("fidelity").getAttribute("role")).toBe("note"); // it says nothing by itself
  expect(picture!.name).toMatch(/^Microscope: /);
  expect(picture!.description).toMatch(
    /^Arrow keys move.* Alt\+S describes the view\. Alt\+N goes to the next annotation/,
  );
  await focusPicture(page);
  await page.waitForTimeout(300);
  await listen(page);
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(200);
  }
  await expect.poll(async () => (await spoken(page)).length).toBeGreaterThan(0);
  const [first] = await spoken(page);
  expect(first!.rested, "not before the view rests").toBeGreaterThan(650);
  const words = await waitForWords(page, /third, .* from the left/);
  expect(words, "once for three moves").toBe(first!.text);
  expect(words).not.toMatch(/Magnification|Plane|Field/);
  const regions = await inTree(page, "generic");
  expect(regions.filter(({ live }) => live === "polite").length).toBeGreaterThan(0);

  await page.keyboard.press("+");
  expect(await waitForWords(page, /Magnification/)).not.toMatch(/Plane|from the left/);
  await page.keyboard.press("]");
  expect(await waitForWords(page, /Plane 5 of 7/)).not.toMatch(/Magnification|from the left/);
  await page.keyboard.press("0");
  await waitForWords(page, /The whole slide is in view\./);
});

test("the edge of the slide is said, and that it ends (PG111)", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, "#x=1100&y=1165&scale=1");
  await focusPicture(page);
  await listen(page);
  for (let i = 0; i < 12; i += 1) await page.keyboard.press("ArrowLeft"); // to the end of what can be moved
  await waitForWords(page, /The left edge of the slide is in view\./);
  await page.waitForTimeout(1500);
  await page.keyboard.press("ArrowLeft");
  await waitForWords(page, /^The slide ends here\.$/);
});

test("a pointer moves the picture in silence, unless the user chose otherwise (PG108)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, VIEW);
  const drag = async (): Promise<void> => {
    await page.mouse.move(600, 400);
    await page.mouse.down();
    await page.mouse.move(480, 360, { steps: 4 });
    await page.mouse.up();
  };
  await listen(page);
  await drag();
  await page.waitForTimeout(1500);
  expect(await spoken(page)).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  const choice = page.getByRole("radiogroup", { name: "Changes of the view, for screen readers" });
  await choice.getByText("Always").click();
  await closed(page);
  await drag();
  await waitForWords(page, /from the left/);
  await page.getByRole("button", { name: "Settings" }).click();
  await choice.getByText("Never").click();
  await closed(page);
  await focusPicture(page);
  await page.waitForTimeout(1500);
  await page.evaluate(() => (window.spoken = []));
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(1500);
  expect(await spoken(page)).toEqual([]);
});

test("a key says and shows the whole view, which follows it and is read by axe at every size (PG105, PG106, PG112)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, VIEW);
  await focusPicture(page);
  await page.keyboard.press("Alt+s");
  await expect(summary(page)).toContainText(/Magnification [\d.]+×\. .* third, .* from the top\. Field of .*tissue/);
  await expect(said(page)).toHaveText(await summary(page).locator("p").innerText());
  const spokenFirst = await said(page).evaluate((region) => region.textContent);
  await page.keyboard.press("Alt+s");
  await expect // a text that is the same is not spoken
    .poll(() => said(page).evaluate((region) => region.textContent))
    .not.toBe(spokenFirst);
  await expect(said(page)).toHaveText(await summary(page).locator("p").innerText());
  const before = await summary(page).innerText();
  await listen(page);
  await page.keyboard.press("Shift+ArrowLeft");
  expect(await waitForWords(page, /from the left/), "the change alone").not.toContain("Magnification");
  await expect(summary(page)).not.toHaveText(before);
  await expectNothingSeriousInEither(page, "description");
  expect(await lookAt(page, "description")).toEqual([]);
  await page.keyboard.press("q"); // a tool, with its bar
  await expect(page.getByTestId("annotation-tools")).toBeVisible();
  expect(await lookAt(page, "description-annotating")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(summary(page)).toHaveCount(0);
});

test("annotations in view are stepped through by keys, the nearest first, and said (PG110)", async ({ page }) => {
  const { address } = own.service;
  const point = (n: number, x: number, name: string, group: string) => ({
    id: `${String(n).repeat(8)}-1111-4111-8111-111111111111`,
    revision: 0,
    content: { kind: "point", geometry: { type: "Point", coordinates: [x, 1165] }, name, class: group },
  });
  await change(address, SLIDES.specimen, [
    point(4, 1550, "Mitosis A", "Tumor"),
    point(5, 1300, "Mitosis B", "Tumor"),
    point(6, 1470, "", ""),
    point(7, 100, "Far away", "Tumor"),
  ]);
  await openSlide(page, SLIDES.specimen, address, VIEW);
  await page.waitForFunction(() => window.__wavescope.annotations.state().count === 4);
  await focusPicture(page);
  await page.keyboard.press("Alt+n");
  await expect(said(page)).toHaveText(/^Point, 1 of 3 in view, .* to the right of the middle/);
  await page.keyboard.press("Alt+n");
  await expect(said(page)).toHaveText(/^Mitosis A · Tumor, 2 of 3 in view/);
  await page.keyboard.press("Alt+p");
  await page.keyboard.press("Alt+p");
  await expect(said(page)).toHaveText(/^Mitosis B · Tumor, 3 of 3 in view, .* to the left of the middle/);
  expect(await page.evaluate(() => window.__wavescope.annotations.state().selected)).toEqual([
    "55555555-1111-4111-8111-111111111111",
  ]);
  await page.keyboard.press("Alt+s");
  await expect(summary(page)).toContainText("3 annotations in view: Tumor: 2, without a class: 1.");
  await expect(summary(page)).toContainText("Nearest to the middle: Point, Mitosis A · Tumor, Mitosis B · Tumor.");
});

test("objects of overlays in view are counted (PG106)", async ({ page }) => {
  const square = (x: number, y: number) => ({
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [x, y],
          [x + 20, y],
          [x + 20, y + 20],
          [x, y + 20],
          [x, y],
        ],
      ],
    },
    properties: { classification: { name: "Cell" }, measurements: { Probability: 0.5 } },
  });
  const features = [square(1400, 1100), square(1500, 1200), square(60, 60)];
  addOverlay(own.service, SLIDES.specimen, "Nuclei", JSON.stringify({ type: "FeatureCollection", features }));
  await openSlide(page, SLIDES.specimen, own.service.address, VIEW);
  await page.getByRole("button", { name: "Overlays" }).click(); // reads them
  await overlaysSettled(page);
  await focusPicture(page);
  await page.keyboard.press("Alt+s");
  await expect(summary(page)).toContainText("Nuclei: objects in view: 2.");
});

test("each of two slides has its own words, in German where the page is (PG112)", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("wavescope.language", "de"));
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  await comparisonIdle(page);
  await page.getByTestId("viewer-B").focus();
  await page.keyboard.press("Alt+s");
  await expect(summary(page)).toHaveCount(1);
  const pane = page.locator("section", { has: page.getByTestId("viewer-B") });
  await expect(pane.getByTestId("view-summary")).toContainText("Ebene 4 von 7");
  const pictures = (await inTree(page, "application")).filter(({ name }) => name !== "");
  expect(pictures.map(({ description }) => description)).toEqual([
    expect.stringContaining("Alt+S beschreibt die Ansicht."),
    expect.stringContaining("Alt+S beschreibt die Ansicht."),
  ]);
  await idle(page);
  await expectNothingSeriousInEither(page, "description of compared slides");
  expect(await lookAt(page, "description-compare")).toEqual([]);
});
