// Guided tours: recorded, ordered, followed by buttons and keys, shared by a link, taken along as a file.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, openSlide, slideIsOpen, viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";

const own = sharedService();

test.use({ contextOptions: { reducedMotion: "reduce" } });

/** Shows 300 pixels of the slide below a point, in the middle of the whole viewer, whatever panel lies over it. */
const fit = (page: Page, l0_x: number, l0_y: number) =>
  page.evaluate(
    ([x, y]) => window.__wavescope.viewport.show({ l0_x: x! + 200, l0_y: y! + 150, scale: 2.3 }, true),
    [l0_x, l0_y],
  );
const saved = (page: Page) => expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "saved");

async function centre(page: Page): Promise<[number, number]> {
  await idle(page);
  const { l0_x, l0_y, l0_width, l0_height } = await viewState(page);
  return [Math.round(l0_x + l0_width / 2), Math.round(l0_y + l0_height / 2)];
}

async function record(page: Page): Promise<void> {
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "New tour", exact: true }).click();
  await page.getByLabel("Title", { exact: true }).fill("Three fields");
  for (const [x, y] of [
    [100, 100],
    [900, 700],
    [1800, 1500],
  ] as const) {
    await fit(page, x, y);
    await page.getByRole("button", { name: "Add this view" }).click();
  }
  await expect(page.getByTestId("waypoint")).toHaveCount(3);
}

test("a tour is recorded, ordered, marked, followed, shared, exported and imported", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await record(page);
  await page.getByLabel("Title of stop 1").fill("The gland");
  await page
    .getByLabel("Text of stop 1")
    .fill("Look at the **lumen**.\n\n<img src=x onerror=alert(1)><script>alert(2)</script> [bad](javascript:alert(3))");
  await page.getByRole("button", { name: "Move Stop 3 up" }).click();
  await page.getByTestId("waypoint").first().getByRole("button", { name: "Go to The gland" }).click();
  expect(await centre(page)).toEqual([300, 250]);
  await page.getByTestId("waypoint").first().getByRole("button", { name: "Add an arrow" }).click();
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.click(viewer.x + viewer.width / 2, viewer.y + viewer.height / 2);
  await page.getByLabel("Text of arrow 1").fill("here");
  await saved(page);
  expect(await centre(page)).toEqual([300, 250]);

  const id = new URL(page.url()).searchParams.get("tour")!;
  const { tour } = await own.service.json<{
    tour: { waypoints: { title: string; marks: { l0_x: number; l0_y: number }[] }[] };
  }>(`/api/v1/tours/${id}`);
  expect(tour.waypoints.map(({ title }) => title)).toEqual(["The gland", "Stop 3", "Stop 2"]);
  expect(
    Math.abs(tour.waypoints[0]!.marks[0]!.l0_x - 300) + Math.abs(tour.waypoints[0]!.marks[0]!.l0_y - 250),
  ).toBeLessThan(3);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export" }).click(),
  ]);
  const file = join(dirname(own.service.store), "tour.json");
  await download.saveAs(file);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    format: "wavescope-tour",
    version: 1,
    title: "Three fields",
  });

  await page.goto(`${own.service.address}/tours/${id}`);
  await slideIsOpen(page);
  const player = page.getByTestId("tour-player");
  await expect(player).toContainText("The gland");
  await expect(player.locator("strong")).toHaveText("lumen");
  expect(await player.locator("script, img, [href^='javascript']").count()).toBe(0);
  await expect(page.getByTestId("tour-marks")).toContainText("here");
  expect(await centre(page)).toEqual([300, 250]);
  await player.getByRole("button", { name: "Next stop" }).click();
  await expect(page.getByTestId("tour-step")).toHaveText("2 / 3");
  expect(await centre(page)).toEqual([2000, 1650]);
  await page.keyboard.press("n");
  await expect(page.getByTestId("tour-step")).toHaveText("3 / 3");
  expect(await centre(page)).toEqual([1100, 850]);
  await page.keyboard.press("p");
  await expect(page.getByTestId("tour-step")).toHaveText("2 / 3");
  await player.getByRole("button", { name: "End tour" }).click();
  await expect(player).toHaveCount(0);

  await openSlide(page, SLIDES.lossless, own.service.address);
  const choose = async (): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Import" }).first().click(),
    ]);
    await chooser.setFiles(file);
  };
  const whole = readFileSync(file);
  writeFileSync(file, "{}");
  await choose();
  await expect(page.getByTestId("side-panel").getByRole("alert")).toBeVisible();
  writeFileSync(file, whole); // mended, and chosen again
  await choose();
  await expect(page.getByTestId("waypoint")).toHaveCount(3);
  await page.getByRole("button", { name: "All tours" }).click();
  await expect(page.getByTestId("tour")).toContainText("Three fields");
});

test("a stop made beside an open panel has what is seen beside it, and without the panel lies in the middle (PG80)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "New tour", exact: true }).click();
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 1500, l0_y: 1150, scale: 1 }, true));
  await page.getByRole("button", { name: "Add this view" }).click();
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 600, l0_y: 600, scale: 2 }, true));
  await page.getByTestId("waypoint").getByRole("button", { name: "Go to Stop 1" }).click();
  expect(await centre(page)).toEqual([1500, 1150]); // as it was made
  await saved(page);
  const id = new URL(page.url()).searchParams.get("tour")!;
  const { tour } = await own.service.json<{ tour: { waypoints: { view: { l0_x: number; l0_y: number } }[] } }>(
    `/api/v1/tours/${id}`,
  );
  const [{ view }] = tour.waypoints as [(typeof tour.waypoints)[number]];
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const free = viewer.width - (await page.getByTestId("side-panel").evaluate((panel) => panel.clientWidth));
  expect(view.l0_x).toBeCloseTo(1500 - (viewer.width - free) / 2, -1);
  expect(view.l0_y).toBeCloseTo(1150, 0);
  await page.keyboard.press("t"); // the panel closes
  await expect(page.getByTestId("side-panel")).toBeHidden();
  await page.goto(`${own.service.address}/tours/${id}`);
  await slideIsOpen(page);
  const [x, y] = await centre(page);
  expect(Math.hypot(x - view.l0_x, y - view.l0_y)).toBeLessThan(2);
});

test("a stop points out annotations, those that are still there, and only while it is the stop (TO6)", async ({
  page,
}) => {
  const object = (id: string, x: number, name: string) => {
    const content = {
      kind: "rectangle",
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [x, 700],
            [x + 150, 700],
            [x + 150, 800],
            [x, 800],
            [x, 700],
          ],
        ],
      },
      plane: { c: -1, z: 0, t: 0 },
      name,
    };
    return { id, revision: 0, content };
  };
  const ids = [randomUUID(), randomUUID()] as const;
  const body = JSON.stringify({ changes: [object(ids[0], 950, "Crypt"), object(ids[1], 1850, "Vessel")] });
  const answer = await fetch(`${own.service.address}/api/v1/slides/${SLIDES.specimen}/annotations:batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  expect(answer.status).toBe(200);
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.waitForFunction(() => window.__wavescope.annotations.state().count === 2);
  await record(page);
  const [first, second] = [page.getByTestId("waypoint").nth(0), page.getByTestId("waypoint").nth(1)];
  await second.getByRole("button", { name: "Go to Stop 2" }).click();
  await idle(page);
  await second.getByRole("button", { name: "Add those in view" }).click();
  await expect(second.getByTestId("pointed-out")).toHaveText(["Crypt"]);
  const at = await page.evaluate(() => window.__wavescope.annotations.inViewer(1025, 700));
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.click(viewer.x + at.x, viewer.y + at.y);
  await first.getByRole("button", { name: "Add selected" }).click();
  await expect(first.getByTestId("pointed-out")).toHaveText(["Crypt"]);
  await first.getByRole("button", { name: "Remove Crypt from this stop" }).click();
  await expect(first.getByTestId("pointed-out")).toHaveCount(0);
  await saved(page);

  const id = new URL(page.url()).searchParams.get("tour")!;
  const { tour } = await own.service.json<{ tour: { waypoints: { annotations: string[] }[] } }>(`/api/v1/tours/${id}`);
  expect(tour.waypoints.map(({ annotations }) => annotations)).toEqual([[], [ids[0]], []]);
  await page.goto(`${own.service.address}/tours/${id}`);
  await slideIsOpen(page);
  const pointed = page.locator(".wavescope-marks [data-pointed]");
  await expect(pointed).toHaveCount(0);
  await page.getByTestId("tour-player").getByRole("button", { name: "Next stop" }).click();
  await expect(pointed).toHaveCount(1);
  await expect(page.locator(".wavescope-label.strong")).toContainText("Crypt");
  await page.keyboard.press("n");
  await expect(pointed).toHaveCount(0);

  const gone = { changes: [{ id: ids[0], revision: 1, content: null }] };
  const deleted = await fetch(`${own.service.address}/api/v1/slides/${SLIDES.specimen}/annotations:batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(gone),
  });
  expect(deleted.status).toBe(200);
  await page.reload();
  await slideIsOpen(page); // at the stop where it was
  await page.getByTestId("tour-player").getByRole("button", { name: "Previous stop" }).click();
  await expect(page.getByTestId("tour-step")).toHaveText("2 / 3");
  await expect(pointed).toHaveCount(0);
});

test("a tour that was changed elsewhere is not overwritten", async ({ page }) => {
  await openSlide(page, SLIDES.fiducial, own.service.address);
  await record(page);
  await saved(page);
  const { tours } = await own.service.json<{ tours: { id: string; revision: number }[] }>(
    `/api/v1/tours?slide=${SLIDES.fiducial}`,
  );
  const { id, revision } = tours[0]!;
  const url = `${own.service.address}/api/v1/tours/${id}`;
  const headers = { "Content-Type": "application/json", "If-Match": `"r${revision}"` };
  const theirs = await fetch(url, { method: "PUT", headers, body: JSON.stringify({ title: "Theirs", waypoints: [] }) });
  expect(theirs.status).toBe(200);
  await page.getByLabel("Title", { exact: true }).fill("Mine");
  await expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "conflict");
  expect((await own.service.json<{ tour: { title: string } }>(`/api/v1/tours/${id}`)).tour.title).toBe("Theirs");
  await page.getByRole("button", { name: "Load the newest version" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Theirs");
});

for (const viewport of [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
]) {
  test(`the buttons of a tour keep their place from stop to stop (${viewport.width} wide)`, async ({ page }) => {
    await openSlide(page, SLIDES.specimen, own.service.address);
    await record(page);
    await page.getByLabel("Text of stop 2").fill("Look at this gland.\n\n".repeat(6));
    await saved(page);
    await page.getByTestId("waypoint").first().getByRole("button", { name: "Go to Stop 1" }).click();
    await page.waitForURL(/tour=/);
    const id = new URL(page.url()).searchParams.get("tour")!;
    await page.setViewportSize(viewport);
    await page.goto(`${own.service.address}/tours/${id}`);
    await slideIsOpen(page);
    const next = page.getByTestId("tour-player").getByRole("button", { name: "Next stop" });
    const before = (await next.boundingBox())!;
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.click(x, y);
    await expect(page.getByTestId("tour-step")).toHaveText("2 / 3");
    expect(await next.boundingBox()).toEqual(before);
    await page.mouse.click(x, y);
    await expect(page.getByTestId("tour-step")).toHaveText("3 / 3");
  });
}
