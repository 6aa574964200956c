// Questions of the members to the presenter, with a phone among them (shared/spec/session.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectNothingSerious, expectNothingSeriousInEither } from "../harness/axe.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import { everyoneLeaves, join, people, person, startSession } from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

const questions = (page: Page) => page.getByTestId("session-questions");
const rows = (page: Page) => page.getByTestId("session-question");

async function ask(page: Page, text: string): Promise<void> {
  await questions(page).getByRole("button", { name: "Ask a question" }).click();
  await page.keyboard.type(text); // the field has the focus
  await page.keyboard.press("Enter");
  await expect(questions(page)).toContainText(text);
}

test("SE56: members ask, vote and take it back; the presenter goes to the place, answers and hides", async ({
  browser,
}, info) => {
  const ada = await person(browser, { width: 1920, height: 1080 });
  const ben = await person(browser, { width: 1180, height: 820 });
  const cleo = await person(browser, { width: 390, height: 844 }, { hasTouch: true });
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  await join(ben, own.service.address, code, "Ben");
  await join(cleo, own.service.address, code, "Cleo");
  for (const page of [ben, cleo]) await people(page);

  await ask(ben, "Is this a mitosis?");
  await expect(ada.getByRole("alert")).toContainText("Question: Is this a mitosis?");
  await ada.getByRole("alert").getByRole("button", { name: "Show" }).click();
  await expect(rows(ada)).toHaveText([/Is this a mitosis\?.*Anonymous/]);

  // Cleo browses elsewhere and asks about what she sees there
  const before = await viewState(ada);
  await cleo.getByTestId("session-status").waitFor();
  await questions(cleo).getByRole("button", { name: "Ask a question" }).tap();
  await questions(cleo).getByLabel("Question", { exact: true }).fill("Which stain is this?");
  await questions(cleo).getByLabel("Attach the view that I see now").check();
  await questions(cleo).getByLabel("Show my name").check();
  await storePicture(cleo, info.outputPath("ask-phone.png"));
  await expectNothingSerious(cleo, "live session");
  await questions(cleo).getByRole("button", { name: "Ask", exact: true }).tap();
  await expect(rows(ada)).toHaveText([/mitosis/, /Which stain.*Cleo/]);

  const vote = (page: Page, text: string) =>
    rows(page)
      .filter({ hasText: text })
      .getByRole("button", { name: /Vote for/ });
  await expect(vote(cleo, "Which stain")).toBeDisabled();
  await vote(ben, "Which stain").focus();
  await ben.keyboard.press("Enter"); // by keyboard alone
  await expect(rows(ada)).toHaveText([/Which stain/, /mitosis/]);
  await expect(vote(ben, "Which stain")).toHaveAttribute("aria-pressed", "true");
  await ben.keyboard.press("Enter");
  await expect(rows(ada)).toHaveText([/mitosis/, /Which stain/]);
  await ben.reload(); // what is one's own is known again
  await people(ben);
  await vote(ben, "Which stain").click();
  await expect(vote(ben, "mitosis")).toBeDisabled();

  await expect(rows(ada)).toHaveText([/Which stain/, /mitosis/]);
  await storePicture(ada, info.outputPath("questions.png"));
  await storePicture(cleo, info.outputPath("questions-phone.png"));
  await expectNothingSeriousInEither(ada, "live session");
  await expectNothingSerious(cleo, "live session");
  await ada.emulateMedia({ colorScheme: "dark" });
  await storePicture(ada, info.outputPath("questions-dark.png"));

  await rows(ada).first().getByRole("button", { name: "Go to its place" }).click();
  await expect.poll(async () => (await viewState(ada)).scale).not.toBe(before.scale);
  await rows(ada).first().getByRole("button", { name: "Mark as answered" }).click();
  for (const page of [ada, ben, cleo]) await expect(rows(page)).toHaveText([/mitosis/]);
  await questions(ben).getByRole("button", { name: "Answered (1)" }).click();
  await expect(rows(ben)).toHaveText([/mitosis/, /Which stain/]);

  await rows(ada).first().getByRole("button", { name: "Hide" }).click();
  await expect(rows(cleo)).toHaveCount(0);
  await ada.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(rows(cleo)).toHaveText([/mitosis/]);
  await rows(ben).first().getByRole("button", { name: "Delete" }).click();
  await expect(rows(cleo)).toHaveCount(0);
});
