// Into a live session by its code, out of it when it ends, and what was recorded.
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { signedIn } from "../harness/people.ts";
import { everyoneLeaves, join, people, person, startSession, status } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();
everyoneLeaves();

const LAPTOP = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

test("SE5: a code is typed where the gallery says, and a guest learns before joining that the session is recorded", async ({
  browser,
}, info) => {
  const ada = await person(browser, LAPTOP);
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  const ben = await person(browser, PHONE);
  await ben.goto(own.service.address);
  await ben.getByRole("link", { name: "Join a session" }).click();
  await expect(ben.getByRole("heading", { name: "Join a live session" })).toBeVisible();
  await expectNothingSerious(ben, "typing a code");
  await storePicture(ben, info.outputPath("code-390.png"));
  const field = ben.getByLabel("Code");
  await field.fill("7KQM-2XW0");
  await ben.getByRole("button", { name: "Continue" }).click();
  await expect(ben.getByText("Codes do not contain 0")).toBeVisible();
  await field.fill("2222-2222");
  await ben.getByRole("button", { name: "Continue" }).click();
  await expect(ben.getByRole("heading", { name: "Session not found" })).toBeVisible();
  await expect(field).toHaveValue("2222-2222");
  await storePicture(ben, info.outputPath("wrong-code-390.png"));
  await field.fill(code.toLowerCase());
  await ben.getByRole("button", { name: "Continue" }).click();
  await expect(ben.getByText("Live session of Ada")).toBeVisible();
  const notice = ben.getByTestId("recorded-notice");
  await expect(notice).toHaveCount(0);
  await people(ada);
  await ada.getByRole("button", { name: "Record", exact: true }).click();
  await expect(notice).toContainText("This session is being recorded"); // while the guest still reads
  await expectNothingSerious(ben, "a session that is recorded");
  await storePicture(ben, info.outputPath("recorded-390.png"));
  await ben.getByLabel("Your name").fill("Ben");
  await ben.getByRole("button", { name: "Join", exact: true }).click();
  await slideIsOpen(ben);
  await status(ben, "following");
});

test("after “End for all” nothing of the session is left on the host's page, and what was recorded can be watched", async ({
  browser,
}, info) => {
  const ada = await person(browser, LAPTOP);
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada", { record: true });
  await status(ada, "presenting");
  const ben = await person(browser, LAPTOP);
  await join(ben, own.service.address, code, "Ben");
  await people(ada);
  await people(ben);
  await ada.getByRole("button", { name: "Leave the session" }).click();
  await ada.getByRole("button", { name: "End for all" }).click();
  await expect(ada.getByTestId("session-bar")).toHaveCount(0);
  await expect(ada.getByTestId("session-members")).toHaveCount(0);
  await expect.poll(() => new URL(ada.url()).search).toBe("");
  const panel = ada.locator("[data-panel=session]");
  await expect(panel.getByRole("button", { name: "Start live session" })).toBeVisible();
  await expect(panel.getByRole("link", { name: /^Watch/ })).toBeVisible();
  await storePicture(ada, info.outputPath("ended-1366.png"));

  await expect(ben.getByTestId("session-status")).toContainText("The session has ended");
  await expect.poll(() => new URL(ben.url()).search).toBe("");
  await expect(ben.getByTestId("session-members")).toHaveCount(0);
  await ben.reload();
  await slideIsOpen(ben);
  await expect(ben.getByTestId("session-bar")).toHaveCount(0);

  await ada.getByRole("button", { name: "Watch", exact: true }).click();
  await expect(ada.getByTestId("replay-bar")).toBeVisible();
  await ada.getByRole("button", { name: "Close recording" }).click();
  await panel.getByRole("link", { name: /^Watch/ }).click();
  await expect(ada.getByTestId("replay-bar")).toBeVisible();
  await slideIsOpen(ada);
  await ada.getByRole("button", { name: "More actions for this recording" }).click();
  await expect(ada.getByRole("menuitem", { name: "Delete" })).toBeVisible();
  await expect(ada.getByRole("menuitem", { name: /^Share/ })).toHaveCount(0); // without accounts everyone may watch it
});

test("what only accounts can do is offered with accounts alone", async ({ browser, services }) => {
  const ada = await person(browser, LAPTOP);
  await openSlide(ada, SLIDES.specimen, own.service.address);
  await ada.getByRole("button", { name: "Start live session" }).first().click();
  const dialog = ada.getByRole("dialog", { name: "Start live session" });
  await expect(dialog.getByLabel("Everyone can navigate")).toBeVisible();
  for (const option of ["People without an account can join", "Everyone can annotate"])
    await expect(dialog.getByLabel(option)).toHaveCount(0);

  const service = await services.clinic(SLIDES.large);
  const ivan = await signedIn(browser, service, "ivan", `/slides/${SLIDES.large}`);
  try {
    await slideIsOpen(ivan.page);
    await ivan.page.getByRole("button", { name: "Start live session" }).first().click();
    for (const option of ["People without an account can join", "Everyone can annotate"])
      await expect(ivan.page.getByRole("dialog").getByLabel(option)).toBeVisible();
  } finally {
    await ivan.context.close();
  }
});
