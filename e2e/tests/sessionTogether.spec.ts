// What a session shows for all beside a single slide: the stops of a tour, and two slides side by side or one over the other.
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import {
  type Seen,
  centreOf,
  drag,
  comparisonIdle,
  comparisonIsOpen,
  seen as seenComparison,
  seenInAll,
} from "../harness/comparison.ts";
import { expect, test } from "../harness/test.ts";
import {
  everyoneLeaves,
  expectSameView,
  join,
  look,
  people,
  person,
  startSession,
  status,
} from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

async function two(browser: Parameters<typeof person>[0]): Promise<{ ada: Page; ben: Page; code: string }> {
  const still = { reducedMotion: "reduce" } as const;
  const ada = await person(browser, { width: 1600, height: 900 }, still);
  const ben = await person(browser, { width: 1024, height: 768 }, still);
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  await join(ben, own.service.address, code, "Ben");
  return { ada, ben, code };
}

test("the steps of a tour are those of all, also across slides, and for who joins late", async ({ browser }) => {
  const view = (l0_x: number, l0_y: number) => ({
    l0_x,
    l0_y,
    l0_width: 500,
    l0_height: 300,
    rotation: 0,
    flip: false,
    plane: 0,
    adjustments: null,
  });
  const waypoints = [
    { id: "w1", title: "The gland", text: "One", view: view(500, 400) },
    { id: "w2", title: "The rim", text: "Two", view: view(1500, 1200) },
    { id: "w3", title: "Elsewhere", text: "Three", view: view(1900, 1400), slide: SLIDES.fiducial },
  ];
  const body = JSON.stringify({ format: "wavescope-tour", version: 1, title: "Three stops", text: "", waypoints });
  const made = await fetch(`${own.service.address}/api/v1/tours?slide=${SLIDES.specimen}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(made.status).toBe(201);
  const { ada, ben, code } = await two(browser);
  await ada.keyboard.press("t");
  await ada.getByRole("button", { name: "Play Three stops" }).click();
  for (const title of ["The gland", "The rim"]) {
    await expect(ada.getByTestId("tour-player")).toContainText(title);
    await expect(ben.getByTestId("tour-player")).toContainText(title);
    await expectSameView(ada, ben);
    await status(ben, "following");
    await ada.keyboard.press("n");
  }
  await slideIsOpen(ada);
  await expect.poll(() => ben.evaluate(() => location.pathname)).toBe(`/slides/${SLIDES.fiducial}`);
  await slideIsOpen(ben);
  await expect(ben.getByTestId("tour-player")).toContainText("Elsewhere");
  await expectSameView(ada, ben);
  const cleo = await person(browser, { width: 820, height: 1180 }, { reducedMotion: "reduce" });
  await join(cleo, own.service.address, code, "Cleo");
  await expect(cleo.getByTestId("tour-player")).toContainText("Elsewhere");
  await expectSameView(ada, cleo);
  await ada.getByRole("button", { name: "End tour" }).click();
  await expect(ben.getByTestId("tour-player")).toHaveCount(0);
  await status(ben, "following");
});

function expectAlike(presenter: { A: Seen; B: Seen }, follower: { A: Seen; B: Seen }): number {
  const apart = (["A", "B"] as const).map((side) => {
    const [a, b] = [centreOf(presenter[side]), centreOf(follower[side])];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  });
  return Math.max(...apart);
}

test("side by side for all: both panes, how they are linked, swiping and its divider; then one slide again", async ({
  browser,
}, info) => {
  const { ada, ben, code } = await two(browser);
  await ada.getByRole("button", { name: "Compare with another slide" }).click();
  await ada.getByRole("searchbox", { name: "Search slides" }).fill(SLIDES.fiducial);
  await expect(ada.getByTestId("slide-choices").getByRole("button")).toHaveCount(1);
  await ada.getByTestId("slide-choices").getByRole("button").click();
  await comparisonIsOpen(ada);
  await comparisonIsOpen(ben);
  const alike = () =>
    expect.poll(async () => expectAlike(await seenComparison(ada), await seenComparison(ben))).toBeLessThan(1);
  await drag(ada, "A", 90, 40);
  await alike();
  await drag(ada, "B", -60, 70);
  await alike();
  await ada.keyboard.press("l");
  await drag(ada, "B", 150, -30);
  await alike();
  await ada.keyboard.press("l");
  await ada.keyboard.press("s");
  await expect(ben.getByRole("region", { name: /^B: / })).toHaveAttribute("data-layer", "upper");
  await ada.getByTestId("divider").focus();
  const before = await ben.getByTestId("divider").getAttribute("aria-valuenow");
  await ada.keyboard.press("ArrowRight");
  await expect(ben.getByTestId("divider")).not.toHaveAttribute("aria-valuenow", before!);
  await alike();
  await storePicture(ben, info.outputPath("swipe.png"));

  const cleo = await person(browser, { width: 1366, height: 768 }, { reducedMotion: "reduce" });
  await cleo.goto(`${own.service.address}/join/${code}`);
  await cleo.getByLabel("Your name").fill("Cleo");
  await cleo.getByRole("button", { name: "Join" }).click();
  await comparisonIsOpen(cleo);
  await expect.poll(async () => expectAlike(await seenComparison(ada), await seenComparison(cleo))).toBeLessThan(1);

  await ada.getByTestId("viewer-A").focus();
  await ada.keyboard.press("s");
  await expect(ben.getByRole("region", { name: /^B: / })).toHaveAttribute("data-layer", "side");
  await drag(ben, "A", 40, 0);
  await status(ben, "free");
  await drag(ada, "A", 50, 50);
  await ben.getByRole("button", { name: "Rejoin" }).click();
  await comparisonIdle(ben);
  await alike();
  await storePicture(ada, info.outputPath("pair.png"));

  await ada
    .getByRole("button", { name: /^Open .* on its own$/ })
    .first()
    .click();
  await slideIsOpen(ada);
  await slideIsOpen(ben);
  await look(ada, { l0_x: 600, l0_y: 600, scale: 1 });
  await expectSameView(ada, ben);
  await people(ben);
});

test("three slides for all: how they are linked, who leads, and their landmarks (PG90, RE11)", async ({ browser }) => {
  const { ada, ben } = await two(browser);
  const ids = [SLIDES.specimen, SLIDES.fiducial, SLIDES.specimen];
  await ada.getByRole("button", { name: "Compare with another slide" }).click();
  for (const [i, id] of ids.slice(1).entries()) {
    if (i > 0) await ada.getByRole("button", { name: "Add a slide" }).click();
    await ada.getByRole("searchbox", { name: "Search slides" }).fill(id);
    await ada.locator(`[data-testid=slide-choices] [data-slide-id="${id}"]`).click();
    for (const one of [ada, ben]) {
      await one.waitForFunction((count) => window.__wavescope.comparison?.length === count, i + 2);
      await comparisonIdle(one);
    }
  }
  const centres = async (page: Page) => (await seenInAll(page)).map(centreOf);
  const alike = () =>
    expect
      .poll(async () => {
        const [presenter, follower] = [await centres(ada), await centres(ben)];
        return Math.max(...presenter.map(([x, y], i) => Math.hypot(x - follower[i]![0], y - follower[i]![1])));
      })
      .toBeLessThan(1);
  await drag(ada, "C", 70, 40);
  await alike();
  await ada.keyboard.press("Shift+L");
  for (const pane of ["A", "C"]) {
    await ada.getByTestId(`viewer-${pane}`).focus();
    await ada.keyboard.press("ArrowRight");
    await comparisonIdle(ada);
    await ada.keyboard.press("m");
  }
  await expect(ada.getByTestId("fit")).toHaveText("C: Shifted by one landmark");
  await ben.keyboard.press("Shift+L");
  await expect(ben.getByTestId("fit")).toHaveText("C: Shifted by one landmark");
  await expect(ben.getByTestId("pins-C").getByRole("button")).toHaveCount(1);
  await alike();
  await status(ben, "following");
  await ben.getByTestId("pins-C").getByRole("button").focus();
  await ben.keyboard.press("Delete"); // an own change: who makes it moves freely
  await status(ben, "free");
});

test("what a landmark corrects of an automatic alignment reaches those who follow, also who joins late (RE9, RE13)", async ({
  browser,
}) => {
  test.setTimeout(300_000); // a registration takes 5 s of a processor that may have other work
  const { ada, ben, code } = await two(browser);
  await ada.evaluate((address) => {
    history.pushState(null, "", address); // from page to page: who loads the page anew comes back to what the session shows
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/compare?slide=${SLIDES.specimen}&slide=${SLIDES.specimen}`);
  await comparisonIsOpen(ada);
  await comparisonIsOpen(ben);
  const apart = async (page: Page): Promise<number> => {
    const { A, B } = await seenComparison(page);
    return Math.hypot(centreOf(A)[0] - centreOf(B)[0], centreOf(A)[1] - centreOf(B)[1]);
  };
  const alike = (page: Page) =>
    expect.poll(async () => expectAlike(await seenComparison(ada), await seenComparison(page))).toBeLessThan(1);
  await ada.keyboard.press("Shift+A");
  await expect(ada.getByTestId("alignment-status")).toHaveText("Aligned automatically", { timeout: 240_000 });
  await ada.keyboard.press("Shift+L");
  await ada.getByTestId("viewer-A").focus();
  await ada.keyboard.press("m");
  await ada.getByTestId("viewer-B").focus();
  await ada.keyboard.press("ArrowRight");
  await comparisonIdle(ada);
  await ada.keyboard.press("m");
  await expect(ada.getByTestId("fit")).toHaveText(/^Corrected by 1 landmark/);
  await comparisonIdle(ada);
  const corrected = await apart(ada);
  expect(corrected).toBeGreaterThan(20);
  await alike(ben);
  await expect.poll(() => apart(ben)).toBeCloseTo(corrected, 0);
  await drag(ada, "A", 500, 200); // far from the landmark, where it corrects less: the field came, not one shift
  await comparisonIdle(ada);
  await alike(ben);
  expect(await apart(ada)).toBeLessThan(0.9 * corrected);
  await expect.poll(async () => Math.abs((await apart(ben)) - (await apart(ada)))).toBeLessThan(1);
  await status(ben, "following");
  const cleo = await person(browser, { width: 820, height: 1180 }, { reducedMotion: "reduce" });
  await cleo.goto(`${own.service.address}/join/${code}`);
  await cleo.getByLabel("Your name").fill("Cleo");
  await cleo.getByRole("button", { name: "Join" }).click();
  await comparisonIsOpen(cleo);
  await alike(cleo);
  await status(cleo, "following");
});

test("a comparison in a session keeps the case, and so does the way back", async ({ browser }) => {
  const body = JSON.stringify({ title: "Case A", slides: [SLIDES.specimen, SLIDES.fiducial] });
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${own.service.address}/api/v1/cases`, { method: "POST", headers, body });
  const { id } = (await made.json()) as { id: string };
  const ada = await person(browser, { width: 1366, height: 768 });
  await ada.goto(`${own.service.address}/slides/${SLIDES.specimen}?case=${id}`);
  await slideIsOpen(ada);
  const code = await startSession(ada, "Ada");
  const ben = await person(browser, { width: 1366, height: 768 });
  await join(ben, own.service.address, code, "Ben");
  await ada.getByRole("button", { name: "Compare with another slide" }).click();
  await ada.getByRole("searchbox", { name: "Search slides" }).fill(SLIDES.fiducial);
  await ada.getByTestId("slide-choices").getByRole("button").first().click();
  await comparisonIsOpen(ada);
  await comparisonIsOpen(ben);
  expect(new URL(ada.url()).searchParams.get("case")).toBe(id);
  await ada
    .getByRole("button", { name: /on its own$/ })
    .first()
    .click();
  await slideIsOpen(ada);
  await expect(ada.getByTestId("case-strip")).toBeVisible();
  await status(ada, "presenting");
});
