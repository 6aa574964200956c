// A live session of four people on screens of their own sizes: presenter, two followers, one who joins late (shared/spec/session.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { drag, onScreen } from "../harness/annotating.ts";
import { storePicture } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import {
  everyoneLeaves,
  expectSameView,
  fromMenu,
  join,
  look,
  people,
  person,
  row,
  seen,
  startSession,
  status,
} from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

test.use({ contextOptions: { reducedMotion: "reduce" } });

type Crowd = { ada: Page; ben: Page; cleo: Page; code: string };

/** Ada presents a slide; Ben follows on a laptop, Cleo on a tablet held upright. */
async function crowd(
  browser: Parameters<typeof person>[0],
  slide: string = SLIDES.specimen,
  options: Parameters<typeof startSession>[2] = {},
): Promise<Crowd> {
  const still = { reducedMotion: "reduce" } as const;
  const ada = await person(browser, { width: 1920, height: 1080 }, still);
  const ben = await person(browser, { width: 1366, height: 768 }, still);
  const cleo = await person(browser, { width: 768, height: 1024 }, still);
  await openSlide(ada, slide, own.service.address);
  const code = await startSession(ada, "Ada", options);
  await status(ada, "presenting");
  await join(ben, own.service.address, code, "Ben", options.passcode);
  await join(cleo, own.service.address, code, "Cleo", options.passcode);
  return { ada, ben, cleo, code };
}

test("SE17: the presenter's view is that of screens of other sizes, turned, mirrored, focused and lit alike; who joins late has all of it", async ({
  browser,
}, info) => {
  const { ada, ben, cleo, code } = await crowd(browser, SLIDES.planes);
  for (const place of [
    { l0_x: 700, l0_y: 500, scale: 2 },
    { rotation: 33, plane: 5 },
    { l0_x: 1200.25, l0_y: 900.75, flip: true, scale: 0.9 },
    { rotation: 270, plane: 1 },
  ]) {
    await look(ada, place);
    await expectSameView(ada, ben);
    await expectSameView(ada, cleo);
  }
  await ada.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), gamma: 1.5 }));
  for (const follower of [ben, cleo])
    await expect.poll(() => follower.evaluate(() => window.__wavescope.light.read().gamma)).toBe(1.5);
  await cleo.setViewportSize({ width: 1180, height: 820 });
  await expectSameView(ada, cleo);

  const dora = await person(browser, { width: 1024, height: 768 }, { reducedMotion: "reduce" });
  await join(dora, own.service.address, code.toLowerCase(), "Dora");
  await expectSameView(ada, dora);
  expect(await dora.evaluate(() => window.__wavescope.light.read().gamma)).toBe(1.5);
  await idle(dora);
  await people(ada);
  await expect(ada.getByTestId("session-members").getByRole("listitem")).toHaveCount(4);
  for (const [name, page] of Object.entries({ ada, ben, cleo, dora }))
    await storePicture(page, info.outputPath(`${name}.png`));
});

test("a follower's own gesture frees it, one click rejoins; the key too", async ({ browser }) => {
  const { ada, ben } = await crowd(browser);
  await ben.getByTestId("viewer").focus();
  await ben.keyboard.press("ArrowRight");
  await status(ben, "free");
  const own = await seen(ben);
  await look(ada, { l0_x: 400, l0_y: 300, scale: 1 });
  await people(ada);
  await expect(row(ada, "Ben").getByRole("img", { name: "Ben is browsing freely" })).toBeVisible();
  expect(await seen(ben)).toEqual(own);
  await ben.getByRole("button", { name: "Rejoin" }).click();
  await status(ben, "following");
  await expectSameView(ada, ben);
  const viewer = (await ben.getByTestId("viewer").boundingBox())!;
  await ben.mouse.move(viewer.x + 300, viewer.y + 300);
  await ben.mouse.down();
  await ben.mouse.move(viewer.x + 380, viewer.y + 340, { steps: 4 });
  await ben.mouse.up();
  await status(ben, "free");
  await ben.keyboard.press("u");
  await status(ben, "following");
  await expectSameView(ada, ben);
});

test("hand over, take over, everyone may steer, pause; raised hands; the slide and several slides", async ({
  browser,
}) => {
  const { ada, ben, cleo } = await crowd(browser);
  await ben.keyboard.press("h");
  await people(ada);
  await expect(row(ada, "Ben").getByRole("img", { name: "Ben has raised a hand" })).toBeVisible();
  await fromMenu(ada, "Ben", "Lower hand");
  await expect(row(ada, "Ben").getByRole("img", { name: "Ben has raised a hand" })).toHaveCount(0);

  await fromMenu(ada, "Ben", "Make presenter");
  await status(ben, "presenting");
  await status(ada, "following");
  await look(ben, { l0_x: 900, l0_y: 700, scale: 1.5 });
  await expectSameView(ben, ada);
  await expectSameView(ben, cleo);

  await ada.getByRole("button", { name: "Take over" }).click();
  await status(ada, "presenting");
  await status(ben, "following");

  await ada.getByLabel("Everyone can navigate").click();
  await expect(cleo.getByTestId("session-status")).toContainText("you can navigate too");
  await cleo.getByTestId("viewer").focus();
  await cleo.keyboard.press("+");
  await status(cleo, "presenting");
  await expectSameView(cleo, ada);
  await expectSameView(cleo, ben);
  await ada.getByLabel("Everyone can navigate").click();
  await expect(ada.getByLabel("Everyone can navigate")).not.toBeChecked();
  await ada.getByRole("button", { name: "Take over" }).click();
  await status(cleo, "following");

  await ada.getByTestId("session-bar").getByRole("button", { name: "Pause" }).click();
  for (const page of [ada, ben, cleo]) await status(page, "paused");
  const before = await seen(ben);
  await look(ada, { l0_x: 300, l0_y: 300, scale: 2 });
  await cleo.getByTestId("viewer").focus();
  await cleo.keyboard.press("ArrowDown");
  await ada.getByTestId("session-bar").getByRole("button", { name: "Resume" }).click();
  for (const page of [ben, cleo]) await status(page, "following");
  expect(before.l0_x).not.toBe((await seen(ada)).l0_x);
  await expectSameView(ada, ben);
  await expectSameView(ada, cleo);

  await ada.goto(
    `${own.service.address}/slides/${SLIDES.fiducial}?session=${new URL(ada.url()).searchParams.get("session")}`,
  );
  // loaded anew at another slide: the session's stage is where it comes back to
  await expect.poll(() => ada.evaluate(() => location.pathname)).toBe(`/slides/${SLIDES.specimen}`);
});

test("slides: the presenter's choice takes all along, who is free stays, and rejoins to the right slide", async ({
  browser,
}) => {
  const { ada, ben, cleo } = await crowd(browser);
  await cleo.getByTestId("viewer").focus();
  await cleo.keyboard.press("ArrowLeft");
  await status(cleo, "free");
  await people(ada);
  await ada.getByRole("button", { name: "Another slide…" }).click();
  await ada.locator(`[data-testid=slide-card][data-slide-id="${SLIDES.fiducial}"]`).getByRole("link").first().click();
  await slideIsOpen(ada);
  await expect.poll(() => ben.evaluate(() => location.pathname)).toBe(`/slides/${SLIDES.fiducial}`);
  await slideIsOpen(ben);
  await look(ada, { l0_x: 1900, l0_y: 1400, scale: 1 });
  await expectSameView(ada, ben);
  expect(new URL(cleo.url()).pathname).toBe(`/slides/${SLIDES.specimen}`);
  await cleo.getByRole("button", { name: "Rejoin" }).click();
  await expect.poll(() => cleo.evaluate(() => location.pathname)).toBe(`/slides/${SLIDES.fiducial}`);
  await slideIsOpen(cleo);
  await expectSameView(ada, cleo);
  await people(ada);
  await expect(ada.getByRole("list", { name: "Slides of the session" }).getByRole("listitem")).toHaveCount(2);
});

test("cursors and the laser pointer are where they point, with name and colour, on turned and mirrored slides", async ({
  browser,
}, info) => {
  const { ada, ben, cleo } = await crowd(browser);
  await look(ada, { l0_x: 800, l0_y: 600, scale: 1, rotation: 40, flip: true });
  await expectSameView(ada, ben);
  await expectSameView(ada, cleo);
  for (const laser of [false, true]) {
    if (laser) await ada.keyboard.press("z");
    const { x, y } = await onScreen(ada, 850, 640);
    await ada.mouse.move(x, y, { steps: 5 });
    for (const page of [ben, cleo]) {
      const pointer = page.locator(`[data-testid=session-pointers] [data-kind=${laser ? "laser" : "cursor"}]`);
      await expect(pointer).toHaveText("Ada");
      const wanted = await onScreen(page, 850, 640);
      await expect
        .poll(async () => {
          const at = await pointer
            .evaluate((one) => new DOMMatrix(getComputedStyle(one).transform))
            .then(({ e, f }) => ({ e, f }));
          const viewer = (await page.getByTestId("viewer").boundingBox())!;
          return Math.hypot(viewer.x + at.e - wanted.x, viewer.y + at.f - wanted.y);
        })
        .toBeLessThan(2);
    }
  }
  await storePicture(ben, info.outputPath("laser.png"));
  await ada.mouse.move(5, 5);
  await ada.keyboard.press("z");
  await expect(ben.locator("[data-testid=session-pointers] [data-pointer]")).toHaveCount(0);
});

test("annotations that one makes are there for the others at once, and notes are read by all", async ({ browser }) => {
  const { ada, ben } = await crowd(browser, SLIDES.lossless);
  await look(ada, { l0_x: 700, l0_y: 600, scale: 1 });
  await expectSameView(ada, ben);
  await ben.keyboard.press("q");
  await drag(ben, [
    [600, 500],
    [800, 700],
  ]);
  await expect
    .poll(() => ada.evaluate(() => window.__wavescope.annotations.list().map(({ kind }) => kind)))
    .toEqual(["rectangle"]);
  await status(ben, "following");
  await ada.keyboard.press("Shift+n");
  await ada.getByRole("textbox", { name: "A note on this view" }).fill("Look at the rim.");
  await ada.getByRole("button", { name: "Add note" }).click();
  await people(ben);
  await expect(ben.getByTestId("session-notes")).toContainText("Look at the rim.");
});

test("a passcode is asked for; who is removed stays out; who leaves is gone; all learn of the end", async ({
  browser,
}) => {
  const { ada, ben, cleo, code } = await crowd(browser, SLIDES.specimen, { passcode: "alveolus" });
  const stranger = await person(browser, { width: 1024, height: 768 });
  await stranger.goto(`${own.service.address}/join/${code}`);
  await stranger.getByLabel("Your name").fill("Eve");
  await stranger.getByLabel(/^Passcode/).fill("wrong");
  await stranger.getByRole("button", { name: "Join" }).click();
  await expect(stranger.getByRole("alert")).toBeVisible();
  await stranger.goto(`${own.service.address}/join/2222-2222`);
  await expect(stranger.getByRole("heading", { name: "Session not found" })).toBeVisible();

  await fromMenu(ada, "Ben", "Remove from the session");
  await ada
    .getByRole("dialog", { name: "Remove Ben from the session?" })
    .getByRole("button", { name: "Remove" })
    .click();
  await expect(ben.getByTestId("session-status")).toContainText("You were removed");
  await cleo.getByRole("button", { name: "Leave the session" }).click();
  await expect(cleo.getByTestId("session-bar")).toHaveCount(0);
  await expect(ada.getByTestId("session-members").getByRole("listitem")).toHaveCount(1);
  await ada.getByRole("button", { name: "Leave the session" }).click();
  await ada.getByRole("button", { name: "End for all" }).click();
  await expect(ada.getByTestId("session-bar")).toHaveCount(0);
  await expect(ada.getByText("The session has ended for all.")).toBeVisible();
});
