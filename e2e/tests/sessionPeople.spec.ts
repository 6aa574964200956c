// How people meet in a live session: names and lasers, raised hands, removals, lost access (shared/spec/session.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { onScreen } from "../harness/annotating.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
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
  seen,
  startSession,
  status,
} from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

type Browser = Parameters<typeof person>[0];

/** Ada presents; Ben follows. */
async function two(browser: Browser, options: Parameters<typeof person>[2] = {}) {
  const ada = await person(browser, { width: 1366, height: 768 }, options);
  const ben = await person(browser, { width: 1180, height: 820 });
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  await status(ada, "presenting");
  await join(ben, own.service.address, code, "Ben");
  return { ada, ben, code };
}

const pointers = (page: Page) => page.locator("[data-testid=session-pointers] [data-pointer]");
const name = (page: Page, text: string) => pointers(page).locator("span", { hasText: text });

async function point(page: Page, l0_x: number, l0_y: number): Promise<void> {
  const { x, y } = await onScreen(page, l0_x, l0_y);
  await page.mouse.move(x, y, { steps: 4 });
}

test("SE52: only the presenter's name is shown, unless the host or oneself chooses otherwise", async ({
  browser,
}, info) => {
  const { ada, ben, code } = await two(browser);
  const cleo = await person(browser, { width: 1180, height: 820 });
  await join(cleo, own.service.address, code, "Cleo");
  await look(ada, { l0_x: 800, l0_y: 600, scale: 1 });
  for (const page of [ben, cleo]) await expectSameView(ada, page);
  await point(ada, 800, 600);
  await point(cleo, 900, 650);
  await expect(pointers(ben)).toHaveCount(2);
  await expect(name(ben, "Ada")).toBeVisible();
  await expect(name(ben, "Cleo")).toBeHidden();

  await people(ada);
  await ada.getByLabel("Names on pointers, for everyone").selectOption({ label: "All" });
  await expect(name(ben, "Cleo")).toBeVisible();
  await storePicture(ben, info.outputPath("all.png"));
  await ada.getByLabel("Names on pointers, for everyone").selectOption({ label: "On hover" });
  await expect(name(ben, "Ada")).toBeHidden();
  await point(ben, 898, 648);
  await expect(name(ben, "Cleo")).toBeVisible();
  await expect(name(ben, "Ada")).toBeHidden();

  await people(ben);
  await expect(ben.getByLabel("Names on pointers", { exact: true })).toContainText("As the host has chosen (On hover)");
  await ben.getByLabel("Names on pointers", { exact: true }).selectOption({ label: "None" });
  for (const one of ["Ada", "Cleo"]) await expect(name(ben, one)).toBeHidden();
});

test("who presents sees the own laser, which fades when it goes out", async ({ browser }, info) => {
  const { ada } = await two(browser);
  await ada.keyboard.press("z");
  await point(ada, 700, 500);
  const laser = ada.locator("[data-testid=session-pointers] [data-kind=laser]");
  await expect(laser).toHaveCount(1);
  await expect(laser.locator("span")).toBeHidden(); // no name over the own slide
  await storePicture(ada, info.outputPath("own-laser.png"));
  await ada.keyboard.press("z");
  await expect(pointers(ada)).toHaveCount(0);
  expect(await laser.evaluate((one) => one.getAnimations().length)).toBe(1); // it is fading
  await expect(laser).toHaveCount(0);
});

test("a finger points with the laser on and leaves the slide where it is; two fingers would move it", async ({
  browser,
}) => {
  const { ada, ben } = await two(browser, { hasTouch: true });
  await ada.getByTestId("session-bar").getByRole("button", { name: "Laser pointer" }).tap();
  const box = (await ada.getByTestId("viewer").boundingBox())!;
  const [x, y] = [box.x + 300, box.y + 250];
  const before = await seen(ada);
  const touch = await ada.context().newCDPSession(ada);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  for (let step = 1; step <= 6; step += 1)
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + 20 * step, y }] });
  await expect(pointers(ada)).toHaveCount(1);
  await expect(pointers(ben)).toHaveAttribute("data-kind", "laser");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(pointers(ada)).toHaveCount(0);
  await expect(pointers(ben)).toHaveCount(0); // it does not jump to the middle
  expect(await seen(ada)).toEqual(before);
});

test("SE50: a raised hand is seen and heard by the presenter, with a name, and falls when it is handed over", async ({
  browser,
}) => {
  const { ada, ben } = await two(browser);
  await ada.evaluate(() => {
    const started: number[] = [];
    Object.assign(window, { started });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      started.push(this.frequency.value);
      start.call(this, when);
    };
  });
  await ben.getByTestId("session-bar").getByRole("button", { name: "Raised hand" }).click();
  await expect(ada.getByRole("alert")).toContainText("Ben raised a hand.");
  await expect(ada.getByTestId("raised-hands")).toHaveText("Ben");
  expect(await ada.evaluate(() => (window as unknown as { started: number[] }).started)).toEqual([660, 880]);
  await expect(ben.getByRole("alert")).toHaveCount(0);
  await ada.getByRole("alert").getByRole("button", { name: "Make presenter" }).click();
  await status(ben, "presenting");
  await expect(ada.getByTestId("raised-hands")).toHaveCount(0);
  await expect(ben.getByTestId("session-bar").getByRole("button", { name: "Raised hand" })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
});

test("SE51: removing someone asks, says why, and can be undone", async ({ browser }, info) => {
  const { ada, ben } = await two(browser);
  await fromMenu(ada, "Ben", "Remove from the session");
  const dialog = ada.getByRole("dialog", { name: "Remove Ben from the session?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await status(ben, "following");
  await fromMenu(ada, "Ben", "Remove from the session");
  await dialog.getByLabel("Message to Ben (optional)").fill("This is group A.");
  await storePicture(ada, info.outputPath("remove.png"));
  await dialog.getByRole("button", { name: "Remove" }).click();
  await status(ben, "over");
  await expect(ben.getByTestId("session-status")).toContainText("The host wrote: This is group A.");
  await ada.getByRole("alert").filter({ hasText: "Ben was removed" }).getByRole("button", { name: "Undo" }).click();
  await expect(ada.getByTestId("session-members")).toContainText("Ben (away)");
  await ben.getByRole("button", { name: "Connect again" }).click();
  await status(ben, "following");
  await expect(ada.getByTestId("session-members").getByRole("listitem").filter({ hasText: "Ben" })).toHaveAttribute(
    "data-present",
    "true",
  );
});

test("a device that is offline says so at once", async ({ browser }) => {
  const { ben } = await two(browser);
  await ben.context().setOffline(true);
  await expect(ben.getByTestId("session-status")).toContainText("This device is offline", { timeout: 1000 });
  await ben.context().setOffline(false);
  await status(ben, "following");
});
