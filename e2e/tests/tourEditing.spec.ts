// Making a tour: marks that are seen while they are placed and moved, stops that come back, two editors, a phone (tours.md).
import type { Page } from "@playwright/test";
import { onScreen } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

test.use({ contextOptions: { reducedMotion: "reduce" } });

interface Mark {
  readonly l0_x: number;
  readonly l0_y: number;
  readonly l0_width: number;
  readonly l0_height: number;
}
interface Stop {
  readonly title: string;
  readonly text: string;
  readonly marks: readonly Mark[];
}

const saved = (page: Page) => expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "saved");
const tours = async () =>
  (await own.service.json<{ tours: { id: string }[] }>(`/api/v1/tours?slide=${SLIDES.specimen}`)).tours;

async function storedTour(): Promise<{ title: string; text: string; waypoints: Stop[] }> {
  const { id } = (await tours())[0]!;
  return (await own.service.json<{ tour: { title: string; text: string; waypoints: Stop[] } }>(`/api/v1/tours/${id}`))
    .tour;
}

test.beforeEach(async () => {
  for (const { id } of await tours()) {
    const { headers } = await fetch(`${own.service.address}/api/v1/tours/${id}`);
    await fetch(`${own.service.address}/api/v1/tours/${id}`, {
      method: "DELETE",
      headers: { "If-Match": headers.get("etag")! },
    });
  }
});

/** A new tour with a stop at each of these corners of a field. */
async function record(page: Page, corners: readonly (readonly [number, number])[]): Promise<void> {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "New tour", exact: true }).click();
  for (const [x, y] of corners) {
    await page.evaluate(([left, top]) => window.__wavescope.viewport.fit(left, top, 400, 300), [x, y] as const);
    await page.getByRole("button", { name: "Add this view" }).click();
  }
  await saved(page);
  await idle(page);
}

async function dragTo(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const [a, b] = [await onScreen(page, ...from), await onScreen(page, ...to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
}

test("an arrow is seen while it is placed, points where it is dragged, and is moved and turned afterwards (TO7)", async ({
  page,
}, info) => {
  await record(page, [[100, 100]]);
  const arrow = page.getByTestId("tour-marks").locator("[data-kind=arrow]");
  await page.getByRole("button", { name: "Add an arrow" }).click();
  await expect(arrow).toHaveCount(0);
  const over = await onScreen(page, 250, 250);
  await page.mouse.move(over.x, over.y, { steps: 3 });
  await expect(arrow).toHaveCount(1); // under the pointer, before any press
  await dragTo(page, [200, 200], [300, 260]);
  await expect(arrow).toHaveCount(1);
  expect((await storedTour()).waypoints[0]!.marks).toEqual([]); // it is not placed yet
  await storePicture(page, info.outputPath("placing.png"));
  await page.mouse.up();
  await page.getByLabel("Text of arrow 1").fill("here");
  await saved(page);
  const near = (mark: Mark, tip: readonly [number, number], tail: readonly [number, number]) => {
    const ends = [mark.l0_x, mark.l0_y, mark.l0_x + mark.l0_width, mark.l0_y + mark.l0_height];
    for (const [i, wanted] of [...tip, ...tail].entries()) expect(Math.abs(ends[i]! - wanted)).toBeLessThan(3);
  };
  near((await storedTour()).waypoints[0]!.marks[0]!, [300, 260], [200, 200]);

  await dragTo(page, [250, 230], [290, 280]); // the shaft
  await page.mouse.up();
  await saved(page);
  await expect.poll(async () => Math.round((await storedTour()).waypoints[0]!.marks[0]!.l0_x)).toBeGreaterThan(330);
  near((await storedTour()).waypoints[0]!.marks[0]!, [340, 310], [240, 250]);

  await dragTo(page, [340, 310], [240, 150]); // the tip
  await page.mouse.up();
  await expect.poll(async () => Math.round((await storedTour()).waypoints[0]!.marks[0]!.l0_y)).toBeLessThan(200);
  near((await storedTour()).waypoints[0]!.marks[0]!, [240, 150], [240, 250]);
  await storePicture(page, info.outputPath("turned.png"));
});

test("a removed stop comes back where it was, with all that it had", async ({ page }) => {
  await record(page, [
    [100, 100],
    [900, 700],
    [1200, 900],
  ]);
  await page.getByLabel("Text of stop 2").fill("The gland");
  await page.getByRole("button", { name: "Remove Stop 2" }).click();
  await expect(page.getByTestId("waypoint")).toHaveCount(2);
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("waypoint")).toHaveCount(3);
  await expect(page.getByLabel("Text of stop 2")).toHaveValue("The gland");
  await saved(page);
  expect((await storedTour()).waypoints.map(({ title }) => title)).toEqual(["Stop 1", "Stop 2", "Stop 3"]);
});

test("opening another panel does not close the editor", async ({ page }) => {
  await record(page, [[100, 100]]);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("i");
  await expect(page.getByTestId("tour-editor")).toHaveCount(0);
  await page.keyboard.press("t");
  await expect(page.getByTestId("tour-editor")).toBeVisible();
  await expect(page.getByTestId("waypoint")).toHaveCount(1);
});

test("two who edit one tour: different fields are merged, the same field is a question (TO9)", async ({ browser }) => {
  const [ada, ben] = [await browser.newPage(), await browser.newPage()];
  await record(ada, [[100, 100]]);
  await openSlide(ben, SLIDES.specimen, own.service.address);
  await ben.keyboard.press("t");
  await ben.getByRole("button", { name: /^Edit / }).click();
  await expect(ben.getByTestId("waypoint")).toHaveCount(1);
  await ada.getByLabel("Introduction").fill("By Ada");
  await saved(ada);
  await ben.getByLabel("Text of stop 1").fill("By Ben");
  await expect(ben.getByLabel("Introduction")).toHaveValue("By Ada");
  await saved(ben);
  const { text, waypoints } = await storedTour();
  expect([text, waypoints[0]!.text]).toEqual(["By Ada", "By Ben"]);
  await ada.getByLabel("Text of stop 1").fill("Ada, too");
  await expect(ada.getByText("This tour was changed elsewhere")).toBeVisible();
  await Promise.all([ada, ben].map((page) => page.close()));
});

test("on a phone the card leaves the field of the stop free", async ({ browser }, info) => {
  const desktop = await browser.newPage();
  await record(desktop, [[800, 600]]);
  await desktop.getByLabel("Text of stop 1").fill(Array(12).fill("Two layers of cells line the duct.").join("\n\n"));
  await saved(desktop);
  const { id } = (await tours())[0]!;
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  await page.goto(`${own.service.address}/tours/${id}`);
  await slideIsOpen(page);
  const card = page.getByTestId("tour-player");
  await expect(card).toContainText("Stop 1");
  await idle(page);
  const box = (await card.boundingBox())!;
  const bottom = await onScreen(page, 1000, 900);
  expect(box.y).toBeGreaterThanOrEqual(bottom.y);
  await storePicture(page, info.outputPath("phone.png"));
  await card.getByRole("button", { name: "Show the text" }).click();
  await expect(card.getByText("Two layers of cells").first()).toBeVisible();
  await Promise.all([desktop, page].map((one) => one.close()));
});
