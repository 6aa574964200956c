// Raised hands and polls of a live session, with a phone among the members (shared/spec/session.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { onScreen } from "../harness/annotating.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import { everyoneLeaves, join, people, person, startSession, status } from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

/** Ada presents; Ben follows on a laptop, Cleo on a phone. */
async function three(browser: Parameters<typeof person>[0]) {
  const ada = await person(browser, { width: 1366, height: 768 });
  const ben = await person(browser, { width: 1180, height: 820 });
  const cleo = await person(browser, { width: 390, height: 844 }, { hasTouch: true });
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  await join(ben, own.service.address, code, "Ben");
  await join(cleo, own.service.address, code, "Cleo");
  return { ada, ben, cleo };
}

/** What the answer that one gave says in the results. */
const YOURS = /High: 2 (of|von) 2 \(100\s?%\) \((Your answer|Ihre Antwort)\)/;
const polls = (page: Page) => page.getByTestId("session-polls");

test("SE53: raised hands are a queue that the presenter answers one by one, or lowers at once", async ({
  browser,
}, info) => {
  const { ada, ben, cleo } = await three(browser);
  await people(ada);
  for (const page of [cleo, ben]) {
    await page.getByTestId("session-bar").getByRole("button", { name: "Raised hand", exact: true }).click();
    await expect(ada.getByTestId("hand-queue")).toContainText(page === cleo ? "Cleo" : "Ben");
  }
  const queue = ada.getByTestId("hand-queue");
  await expect(queue.getByRole("listitem")).toHaveText([/1.*Cleo/, /2.*Ben/]);
  await storePicture(ada, info.outputPath("queue.png"));
  await expectNothingSerious(ada, "live session");
  await queue.getByRole("button", { name: "Lower the hand of Cleo" }).click();
  await expect(queue.getByRole("listitem")).toHaveText([/1.*Ben/]);
  await cleo.getByTestId("session-bar").getByRole("button", { name: "Raised hand", exact: true }).click();
  await queue.getByRole("button", { name: "Lower all" }).click();
  await expect(queue).toHaveCount(0);
  await ben.getByTestId("session-bar").getByRole("button", { name: "Raised hand", exact: true }).click();
  await queue.getByRole("button", { name: "Make Ben presenter" }).click();
  await status(ben, "presenting");
});

test("SE54, SE55, SE70: a choice is answered and changed, and its results are shown when the presenter shows them", async ({
  browser,
}, info) => {
  const { ada, ben, cleo } = await three(browser);
  await people(ada);
  await polls(ada).getByRole("button", { name: "New poll" }).click();
  await polls(ada).getByRole("textbox", { name: "Question" }).fill("Which grade?");
  for (const [i, option] of ["Low", "Intermediate", "High"].entries()) {
    if (i === 2) await polls(ada).getByRole("button", { name: "Add option" }).click();
    await polls(ada)
      .getByLabel(`Option ${i + 1}`, { exact: true })
      .fill(option);
  }
  await storePicture(ada, info.outputPath("ask.png"));
  await expectNothingSerious(ada, "live session");
  await polls(ada).getByRole("button", { name: "Ask", exact: true }).click();

  for (const page of [ben, cleo]) {
    await expect(page.getByRole("alert")).toContainText("Poll: Which grade?");
    await page.getByRole("alert").getByRole("button", { name: "Answer" }).click();
  }
  await polls(ben).getByLabel("Low").click();
  await polls(ben).getByLabel("High").click(); // changed
  await polls(cleo).getByLabel("High").click();
  await expect(polls(cleo)).toContainText("Your answer is saved");
  await storePicture(cleo, info.outputPath("answer-phone.png"));
  await expectNothingSerious(cleo, "live session");
  await expect(polls(ada)).toContainText("2 answers");
  await expect(polls(ben).getByTestId("poll-results")).toHaveCount(0);

  await polls(ada).getByRole("button", { name: "Preview results" }).click();
  await expect(polls(ada).getByTestId("poll-results")).toContainText("High: 2 of 2 (100%)");
  await polls(ada).getByRole("button", { name: "Show results to all" }).click();
  for (const page of [ben, cleo]) {
    await expect(polls(page).getByTestId("poll-results")).toContainText("Low: 0 of 2 (0%)");
    await expect(polls(page).getByTestId("poll-results")).toContainText(YOURS);
  }
  await polls(ada).getByRole("button", { name: "Delete" }).click();
  await expect(polls(ben).getByTestId("poll")).toHaveCount(0);
  const notice = ada.getByRole("alert").filter({ hasText: "The poll is deleted." });
  await storePicture(ada, info.outputPath("deleted.png"));
  await notice.getByRole("button", { name: "Undo" }).click(); // SE70
  await expect(polls(ben).getByTestId("poll-results")).toContainText(YOURS);
  await storePicture(ben, info.outputPath("results.png"));
  await storePicture(cleo, info.outputPath("results-phone.png"));
  await expectNothingSerious(ben, "live session");
});

test("SE54, SE69: points are clicked on the slide, and become dots when they are shown", async ({ browser }, info) => {
  const { ada, ben, cleo } = await three(browser);
  await people(ada);
  await polls(ada).getByRole("button", { name: "New poll" }).click();
  await polls(ada).getByRole("textbox", { name: "Question" }).fill("Where is the mitosis?");
  await polls(ada).getByText("Point on the slide").click();
  await polls(ada).getByRole("button", { name: "Ask", exact: true }).click();
  for (const page of [ben, cleo]) await page.getByRole("alert").getByRole("button", { name: "Answer" }).click();
  const { x, y } = await onScreen(ben, 700, 500);
  await ben.mouse.click(x, y);
  await expect(polls(ben)).toContainText("Your answer is saved");
  await polls(cleo).getByRole("button", { name: "Use centre of view" }).tap();
  await expect(polls(ada)).toContainText("2 answers");
  await expect(ada.locator("[data-dot]")).toHaveCount(0);
  await polls(ada).getByRole("button", { name: "Show results to all" }).click();
  for (const page of [ada, ben, cleo]) await expect(page.locator("[data-dot]")).toHaveCount(2);
  await storePicture(ben, info.outputPath("dots.png"));
  await storePicture(cleo, info.outputPath("dots-phone.png"));
  for (const page of [ben, cleo]) {
    await page.getByTestId("session-people").click();
    await expect(page.locator("[data-panel=session]")).toHaveCount(0);
    await expect(page.locator("[data-dot]")).toHaveCount(2); // whatever panel is open (SE69)
  }
  await storePicture(cleo, info.outputPath("dots-alone-phone.png"));
});
