// Overlays as others see them: in live sessions and tours, shapes and rasters alike (OV63).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { addOverlay, overlayArea, overlaysSettled } from "../harness/overlaying.ts";
import { addRaster } from "../harness/rastering.ts";
import { everyoneLeaves, expectSameView, join, look, person, startSession, status } from "../harness/session.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
const SLIDE = SLIDES.large;
/** Each with a class that is hidden. */
const KINDS = [
  ["Regions", "stroma"],
  ["Areas", "2"],
] as const;
const PLACE = { l0_x: 2600, l0_y: 2000, scale: 0.4 };

everyoneLeaves();

test.use({ contextOptions: { reducedMotion: "reduce" } });

test.beforeAll(() => {
  addOverlay(own.service, SLIDE, "Regions", JSON.stringify([square(2300, "tumour"), square(2700, "stroma")]));
  addRaster(own.service, SLIDE, "Areas", ["classes", 1152, 896], ["--content", "labels"]);
});

const square = (at: number, name: string) => ({
  type: "Feature",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [at, 1900],
        [at + 200, 1900],
        [at + 200, 2100],
        [at, 2100],
        [at, 1900],
      ],
    ],
  },
  properties: { classification: { name }, measurements: { Probability: 0.75 } },
});

const openPanel = (page: Page, name: string) =>
  page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();

/** Shows one overlay alone. */
async function showAlone(page: Page, name: string): Promise<void> {
  await page.keyboard.press("v");
  for (const [other] of KINDS) {
    const eye = page.getByRole("button", { name: `Show ${other}`, exact: true });
    await expect(eye).toBeVisible();
    if ((await eye.getAttribute("aria-pressed")) !== String(other === name)) await eye.click();
  }
  await overlaysSettled(page);
}

const canvas = (page: Page) => page.getByTestId("overlay-canvas").filter({ visible: true });
const opacity = (page: Page): Promise<string> => canvas(page).evaluate(({ style }) => style.opacity);
const eyeOf = (page: Page, of: string) => page.getByRole("button", { name: `Show class ${of}`, exact: true });

async function fade(page: Page, name: string, steps: number): Promise<void> {
  await page.getByRole("slider", { name: `Opacity of ${name}` }).focus();
  for (let i = 0; i < steps; i += 1) await page.keyboard.press("ArrowLeft");
  await overlaysSettled(page);
}

for (const [name, hidden] of KINDS) {
  test(`OV63: who follows a live session sees ${name} with its opacity and hidden class, who joins late too`, async ({
    browser,
  }) => {
    const ada = await person(browser, { width: 1280, height: 800 });
    const ben = await person(browser, { width: 1000, height: 700 });
    await openSlide(ada, SLIDE, own.service.address);
    await look(ada, PLACE);
    await showAlone(ada, name);
    await eyeOf(ada, hidden).click();
    await fade(ada, name, 5);
    const code = await startSession(ada, "Ada");
    await status(ada, "presenting");
    await join(ben, own.service.address, code, "Ben");
    await expectSameView(ada, ben);
    await expect.poll(() => opacity(ben)).toBe(await opacity(ada));
    const cleo = await person(browser, { width: 390, height: 844 });
    await fade(ada, name, 10);
    await expect.poll(() => opacity(ben)).toBe(await opacity(ada));
    await join(cleo, own.service.address, code, "Cleo");
    for (const page of [ben, cleo]) {
      await expect.poll(() => opacity(page)).toBe(await opacity(ada));
      await expect(canvas(page)).toHaveCount(1);
      await page.keyboard.press("v");
      await expect(eyeOf(page, hidden)).toHaveAttribute("aria-pressed", "false");
      await status(page, "following");
    }
    await storePicture(cleo, test.info().outputPath("cleo.png"));
  });

  test(`OV63: a stop of a tour shows ${name} as it was when the stop was made`, async ({ page }) => {
    await openSlide(page, SLIDE, own.service.address);
    await look(page, PLACE);
    await showAlone(page, name);
    await fade(page, name, 5);
    const add = async (): Promise<readonly [string, number]> => {
      await page.getByRole("button", { name: "Add this view" }).click();
      return [await opacity(page), await overlayArea(page)];
    };
    await openPanel(page, "Tours");
    await page.getByRole("button", { name: "New tour", exact: true }).click();
    await page.getByLabel("Title", { exact: true }).fill(name);
    const before = await add();
    await openPanel(page, "Overlays");
    await eyeOf(page, hidden).click();
    await fade(page, name, 10);
    await openPanel(page, "Tours");
    const after = await add();
    expect(after[1]).toBeLessThan(before[1]);
    await expect(page.getByTestId("waypoint")).toHaveCount(2);
    await expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "saved");
    const { tours } = await own.service.json<{ tours: { id: string; title: string }[] }>(
      `/api/v1/tours?slide=${SLIDE}`,
    );
    const { id } = tours.find(({ title }) => title === name)!;
    await page.goto(`${own.service.address}/tours/${id}`);
    await slideIsOpen(page);
    await overlaysSettled(page);
    const shown: number[] = [];
    for (const [wanted] of [before, after]) {
      await expect.poll(() => opacity(page)).toBe(wanted);
      await overlaysSettled(page);
      shown.push(await overlayArea(page));
      await page.keyboard.press("n");
    }
    expect(shown[1]).toBeLessThan(shown[0]!);
  });
}
