// Groups in a live session, with a phone among the members (shared/spec/session.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import {
  everyoneLeaves,
  expectSameView,
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

const groups = (page: Page) => page.getByTestId("session-groups");
const group = (page: Page, number: number) => page.getByTestId("session-group").nth(number - 1);
const groupName = (page: Page) => page.getByTestId("session-own-group");

test("SE62, SE63, SE66: the host divides into groups, each follows its presenter, the host visits, moves and calls back", async ({
  browser,
}, info) => {
  test.slow(); // four pages
  const ada = await person(browser, { width: 1920, height: 1080 });
  const ben = await person(browser, { width: 1180, height: 820 });
  const cleo = await person(browser, { width: 390, height: 844 }, { hasTouch: true, colorScheme: "dark" });
  const dan = await person(browser, { width: 1366, height: 768 });
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  for (const [page, name] of [
    [ben, "Ben"],
    [cleo, "Cleo"],
    [dan, "Dan"],
  ] as const)
    await join(page, own.service.address, code, name);

  await people(ada);
  await groups(ada).getByRole("button", { name: "Divide", exact: true }).click();
  await groups(ada).getByRole("switch", { name: "At random" }).click();
  await storePicture(ada, info.outputPath("divide.png"));
  await expectNothingSerious(ada, "live session");
  await groups(ada).getByRole("button", { name: "Divide into groups" }).focus();
  await ada.keyboard.press("Enter");

  await expect(group(ada, 1)).toContainText("Ben presents · Synthetic specimen");
  await expect(group(ada, 2)).toContainText("Cleo presents · Synthetic specimen");
  await status(ben, "presenting");
  await status(cleo, "presenting");
  await status(dan, "following");
  await expect(groupName(dan)).toHaveText("Group 1");
  await expect(groupName(ada)).toHaveCount(0);
  await people(dan);
  await expect(groups(dan)).toContainText(/Ben, Dan \((you|Sie)\)/);
  await storePicture(dan, info.outputPath("member.png"));
  await expectNothingSerious(dan, "live session");

  await look(ben, { l0_x: 900, l0_y: 700, scale: 1 });
  await expectSameView(ben, dan);
  await look(cleo, { l0_x: 300, l0_y: 300, scale: 2 });
  await cleo.evaluate(() => window.__wavescope.idle());
  await expectSameView(ben, dan); // what the other group does moves nobody here
  const before = await seen(ada);
  await look(ada, { l0_x: 500, l0_y: 200, scale: 0.5 });
  expect(await seen(ada)).not.toEqual(before);
  await expectSameView(ben, dan);

  await group(ada, 1).getByRole("button", { name: "Visit Group 1" }).click();
  await status(ada, "following");
  await expect(groupName(ada)).toHaveText("Group 1");
  await expectSameView(ben, ada);
  await storePicture(ada, info.outputPath("host.png"));
  await expectNothingSerious(ada, "live session");

  await group(ada, 1).getByRole("button", { name: "Move Dan" }).focus();
  await ada.keyboard.press("Enter");
  await ada.getByRole("menuitem", { name: "Group 2" }).click();
  await expect(groupName(dan)).toHaveText("Group 2");
  await expect(dan.getByRole("alert").last()).toContainText("You are in Group 2.");
  await cleo.getByTestId("session-people").click();
  await expect(groups(cleo)).toContainText(/Cleo \((you|Sie)\), Dan/);
  await storePicture(cleo, info.outputPath("phone-dark.png"));
  await expectNothingSerious(cleo, "live session");

  await group(ada, 1).getByRole("button", { name: "Back to all" }).click();
  await status(ada, "presenting");
  await groups(ada).getByRole("button", { name: "Call all back" }).click();
  for (const page of [ben, cleo, dan]) {
    await expect(groupName(page)).toHaveCount(0);
    await status(page, "following");
  }
  await expectSameView(ada, ben);
});

test("SE64, SE65: who joins late comes into the smallest group, and a presenter who leaves is succeeded", async ({
  browser,
}, info) => {
  test.slow();
  const ada = await person(browser, { width: 390, height: 844 }, { hasTouch: true });
  const ben = await person(browser, { width: 1180, height: 820 });
  const cleo = await person(browser, { width: 1366, height: 768 });
  const dan = await person(browser, { width: 1180, height: 820 });
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  await join(ben, own.service.address, code, "Ben");
  await join(cleo, own.service.address, code, "Cleo");
  await people(ada);
  await groups(ada).getByRole("button", { name: "Divide", exact: true }).click();
  await groups(ada).getByLabel("Number of groups").fill("1");
  await groups(ada).getByRole("switch", { name: "At random" }).click();
  await groups(ada).getByRole("button", { name: "Divide into groups" }).click();
  await status(ben, "presenting");
  await join(dan, own.service.address, code, "Dan");
  await expect(groupName(dan)).toHaveText("Group 1");
  await look(ben, { l0_x: 900, l0_y: 700, scale: 1 });
  await expectSameView(ben, dan);
  await ben.getByRole("button", { name: "Leave the session" }).click();
  await status(cleo, "presenting");
  await look(cleo, { l0_x: 400, l0_y: 500, scale: 1 });
  await expectSameView(cleo, dan);
  await expect(group(ada, 1)).toContainText("Cleo presents · Synthetic specimen");
  await expect(row(ada, "Cleo")).toContainText("Group 1");
  await storePicture(ada, info.outputPath("host-phone.png"));
  await expectNothingSerious(ada, "live session");
});
