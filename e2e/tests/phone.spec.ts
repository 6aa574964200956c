// A phone in the hand: what is done over the picture has room there, and what is said can be read.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { drag, openAnnotations, saved, state, tool } from "../harness/annotating.ts";
import { faultsInSight } from "../harness/faultsInSight.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { everyoneLeaves, join, people, person, startSession, status } from "../harness/session.ts";

const PHONE = { width: 390, height: 844 };

const own = sharedService();

test.use({ hasTouch: true, viewport: PHONE, contextOptions: { reducedMotion: "reduce" } });

everyoneLeaves();

const faults = (page: Page): Promise<string[]> => page.evaluate(faultsInSight);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("while something is drawn the panel leaves the picture the room; its fields come back with the shape", async ({
  page,
}) => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  const fields = page.getByTestId("side-panel").getByRole("textbox", { name: "Name", exact: true });
  const free = async (): Promise<number> => {
    const [over, bar] = [page.getByTestId("viewer"), page.getByTestId("annotation-tools")];
    return (await bar.boundingBox())!.y - (await over.boundingBox())!.y;
  };
  await tool(page, "Rectangle").tap();
  expect(await free()).toBeGreaterThan(400);
  expect((await page.getByTestId("annotation-tools").boundingBox())!.height).toBeLessThan(110); // two rows
  expect(await faults(page)).toEqual([]);
  const { l0_x, l0_y, l0_width, l0_height } = await page.evaluate(() => window.__wavescope.viewport.state());
  const at = (x: number, y: number): [number, number] => [l0_x + x * l0_width, l0_y + y * l0_height];
  await drag(page, [at(0.3, 0.3), at(0.6, 0.5)]);
  await expect(fields).toBeVisible();
  expect((await state(page)).count).toBe(1);
  await tool(page, "Text").tap();
  await expect(fields).toBeHidden();
  const box = (await page.getByTestId("viewer").boundingBox())!;
  await page.touchscreen.tap(box.x + 0.4 * box.width, box.y + 0.35 * box.height);
  await expect(page.getByRole("textbox", { name: "Text" })).toBeFocused();
  await saved(page);
});

test("the colour of a class can be tapped", async ({ page }) => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await page.getByLabel("Name of the new class").fill("Tumour");
  await button(page, "Add").tap();
  const { width, height } = (await page.getByLabel("Colour of Tumour").boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
});

test("what can be done with selected slides takes one row", async ({ page }) => {
  await page.goto(own.service.address);
  for (const id of [SLIDES.specimen, SLIDES.planes])
    await page.locator(`[data-testid=slide-card][data-slide-id="${id}"]`).getByRole("checkbox").tap();
  const bar = page.getByTestId("selection-bar");
  for (const name of ["Add to case", "Compare", "Delete", "Clear selection"])
    await expect(bar.getByRole("button", { name })).toBeInViewport({ ratio: 0.99 });
  expect((await bar.boundingBox())!.height).toBeLessThan(70);
});

test("that filters are chosen is shown where the filters are folded away", async ({ page }) => {
  await page.goto(own.service.address);
  await button(page, "Cases and filters").tap();
  await page.getByRole("checkbox", { name: /^lossless/ }).tap();
  await button(page, "Cases and filters (1 chosen)").tap();
  await expect(page.getByTestId("facets")).toBeHidden();
  expect(await faults(page)).toEqual([]);
});

test("the mark of an adjusted picture is not cut off", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), brightness: 0.2 }));
  await expect(page.getByTestId("light-badge")).toBeVisible();
  expect(await faults(page)).toEqual([]);
});

test("a tour that is played while it is edited covers no control", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await button(page, "Tours").tap();
  await button(page, "New tour").tap();
  for (let i = 0; i < 2; i++) await button(page, "Add this view").tap();
  await button(page, "Play").tap();
  await expect(page.getByTestId("tour-player")).toBeVisible();
  await idle(page);
  expect(await faults(page)).toEqual([]);
  await button(page, "Show the text").tap();
  expect(await faults(page)).toEqual([]);
});

test("who was removed can read why, and no light says that they are recorded; who records reads nothing of it", async ({
  page,
  browser,
}) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  const message = page.getByRole("alert").filter({ hasText: "being recorded" });
  const code = await startSession(page, "Ada", { record: true });
  await status(page, "presenting");
  await expect(page.getByTestId("recording-light")).toBeVisible();
  const guest = await person(browser, PHONE, { hasTouch: true, reducedMotion: "reduce" });
  await join(guest, own.service.address, code, "Ben");
  await expect(guest.getByTestId("recording-light")).toBeVisible();
  await expect(message).toHaveCount(0);
  await people(page);
  await button(page, "More actions for Ben").tap();
  await page.getByRole("menuitem", { name: "Remove from the session" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).tap();
  await status(guest, "over");
  await expect(guest.getByTestId("recording-light")).toHaveCount(0);
  expect((await guest.getByTestId("session-status").getByRole("status").boundingBox())!.width).toBeGreaterThan(300);
  expect((await guest.getByTestId("session-bar").boundingBox())!.height).toBeLessThan(120);
});
