// A quiz is written and taken beside the slide: by mouse, on a phone, by keyboard alone (quizzes.md).
import type { Page } from "@playwright/test";
import { onScreen } from "../harness/annotating.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

test.use({ contextOptions: { reducedMotion: "reduce" } });

const VIEW = { l0_x: 300, l0_y: 250, l0_width: 400, l0_height: 300, rotation: 0, flip: false, plane: 0 };
const POINT = { kind: "point", text: "Click the gland", view: VIEW, key: { l0_x: 300, l0_y: 250, l0_radius: 30 } };
const CHOICE = {
  kind: "choice",
  text: "Which organ?",
  view: VIEW,
  options: [
    { id: "x1", text: "Liver" },
    { id: "x2", text: "Kidney" },
  ],
  key: ["x2"],
  feedback: "Glomeruli.",
};
const REGION = {
  kind: "region",
  text: "Outline the gland",
  view: VIEW,
  key: {
    outline: [
      [250, 200],
      [350, 200],
      [350, 300],
      [250, 300],
    ],
    overlap: 0.5,
  }, // prettier-ignore
};
const NUMBER = { kind: "number", text: "How many?", unit: "per mm2", view: VIEW, key: { value: 12, tolerance: 1 } };
const ORDER = { ...CHOICE, kind: "order", text: "Sort them", key: ["x1", "x2"], feedback: "" };

async function create(title: string, questions: readonly object[], more: object = {}): Promise<string> {
  const answer = await fetch(`${own.service.address}/api/v1/quizzes?slide=${SLIDES.specimen}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title, questions: questions.map((one, i) => ({ id: `q${i}`, ...one })), ...more }),
  });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function openPanel(page: Page): Promise<void> {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.keyboard.press("t");
}

async function click(page: Page, l0_x: number, l0_y: number): Promise<void> {
  await idle(page);
  const { x, y } = await onScreen(page, l0_x, l0_y);
  await page.mouse.click(x, y);
}

const question = (page: Page) => page.getByTestId("question");
const feedback = (page: Page) => page.getByTestId("feedback");

test("a quiz is written beside the slide and practised: the key is shown after each answer (QZ10, QZ11, QZ21)", async ({
  page,
}, info) => {
  await openPanel(page);
  await page.getByRole("button", { name: "New quiz" }).click();
  const editor = page.getByTestId("quiz-editor");
  await editor.getByLabel("Title").fill("Glands");
  await page.evaluate(() => window.__wavescope.viewport.fit(100, 100, 400, 300));
  await idle(page);
  await editor.getByRole("button", { name: "Add question" }).click();
  await editor.getByLabel("Text of Question 1").fill("Which **organ**?");
  await editor.getByLabel("Option 1 of Question 1", { exact: true }).fill("Liver");
  await editor.getByLabel("Option 2 of Question 1", { exact: true }).fill("Kidney");
  await editor.getByLabel("Option 2 of Question 1 is right").check();
  await editor.getByRole("combobox", { name: "Kind of question" }).click();
  await page.getByRole("option", { name: "Point on the slide" }).click();
  await editor.getByRole("button", { name: "Add question" }).click();
  await editor.getByLabel("Text of Question 2").fill("Click the gland");
  await editor.getByRole("button", { name: "Click the answer on the slide" }).click();
  await click(page, 250, 220);
  await expect(page.getByTestId("quiz-shapes")).toBeVisible();
  await editor.getByRole("radiogroup", { name: "Right within" }).getByText("An area").click();
  await expect(page.getByTestId("quiz-shapes").locator("polygon")).toBeVisible();
  await expect(editor).toContainText("12 corners");
  await expectNothingSerious(page, "writing a quiz");
  await storePicture(page, info.outputPath("writing.png"));
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("quiz-saved")).toHaveAttribute("data-saved", "true");
  await editor.getByRole("button", { name: "All quizzes" }).click();

  await page.getByRole("button", { name: "Take Glands" }).click();
  await page.getByRole("radio", { name: "Liver" }).check();
  await page.getByRole("button", { name: "Check answer" }).click();
  await expect(feedback(page)).toContainText("Wrong");
  await expect(page.getByRole("radio", { name: "Kidney (right)" })).toBeVisible();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await click(page, 252, 222);
  await page.getByRole("button", { name: "Check answer" }).click();
  await expect(feedback(page)).toContainText("Right");
  await expect(page.getByTestId("quiz-shapes").locator("[data-of=key]")).toHaveCount(1);
  await expectNothingSerious(page, "taking a quiz");
  await storePicture(page, info.outputPath("feedback.png"));
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("button", { name: "Finish now" }).click();
  await expect(page.getByTestId("attempt-progress")).toHaveText("Finished: 1 of 2 points");
});

test("an exam of every kind is answered by keyboard alone, resumed after a reload, and shows keys at its end (QZ15, QZ17, QZ21)", async ({
  page,
}) => {
  await create("Exam", [CHOICE, POINT, REGION, NUMBER, ORDER], { mode: "exam", attempts: 1, seconds: 600 });
  await openPanel(page);
  const press = async (name: string, key = "Enter"): Promise<void> => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press(key);
  };
  const isSaved = () => expect(question(page)).toHaveAttribute("data-saved", "true");
  const next = async (text: string): Promise<void> => {
    await isSaved();
    await press("Next");
    await expect(question(page)).toContainText(text);
    await idle(page);
  };
  await press("Take Exam");
  await expect(page.getByTestId("time-left")).toHaveText(/^(10:00|9:\d\d)$/);
  await page.getByRole("radio", { name: "Kidney" }).focus();
  await page.keyboard.press("Space");
  await next("Click the gland");
  await expect(feedback(page)).toHaveCount(0);
  await press("Use centre of view"); // the view of the question has the gland at its centre
  await isSaved();
  await page.reload();
  await slideIsOpen(page);
  await expect(question(page)).toContainText("Click the gland");
  await next("Outline the gland");
  for (const [x, y] of [
    [250, 200],
    [350, 200],
    [350, 300],
    [250, 300],
  ] as const) {
    await page.evaluate(([l, t]) => window.__wavescope.viewport.fit(l - 50, t - 50, 100, 100), [x, y] as const);
    await idle(page);
    await press("Use centre of view");
  }
  await press("Save answer");
  await next("How many?");
  await page.getByLabel("Answer in per mm2").fill("12.5");
  await press("Save answer");
  await next("Sort them");
  if ((await page.getByTestId("ordered").first().textContent()) !== "Liver") await press("Move Liver up");
  await press("Save answer");
  await isSaved();
  await press("Finish");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("attempt-progress")).toHaveText("Finished: 5 of 5 points");
  await expect(feedback(page)).toContainText("Right");
  await page.getByRole("button", { name: "All quizzes" }).click();
  await page.getByRole("button", { name: "Take Exam" }).click();
  await expect(page.getByRole("alert")).toContainText("all attempts are used");
});

test("on a phone a question of a case is answered by a tap on the slide (QZ11)", async ({ browser }, info) => {
  const made = await fetch(`${own.service.address}/api/v1/cases`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Course", slides: [SLIDES.specimen] }),
  });
  const { id } = (await made.json()) as { id: string };
  await fetch(`${own.service.address}/api/v1/quizzes?case=${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Tap", questions: [{ id: "q", ...POINT, slide: SLIDES.specimen }] }),
  });
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  await page.goto(`${own.service.address}/cases/${id}`);
  await page.getByTestId("case-quiz").tap();
  await slideIsOpen(page);
  await expect(question(page)).toContainText("Click the gland");
  await idle(page);
  const { x, y } = await onScreen(page, 300, 250);
  await page.touchscreen.tap(x, y);
  await expect(page.getByTestId("quiz-shapes")).toBeVisible();
  await page.getByRole("button", { name: "Check answer" }).tap();
  await expect(feedback(page)).toContainText("Right");
  await expectNothingSerious(page, "a quiz on a phone");
  await storePicture(page, info.outputPath("phone.png"));
  await page.close();
});

test("the author sees results by question and person, with all clicks on the slide, also on a phone (QZ22, QZ23)", async ({
  page,
}, info) => {
  const id = await create("Results", [POINT, CHOICE], { mode: "exam" });
  for (const [l0_x, chosen] of [
    [300, "x2"],
    [380, "x1"],
  ] as const) {
    const begun = await fetch(`${own.service.address}/api/v1/quizzes/${id}/attempts`, { method: "POST" });
    const attempt = `${own.service.address}/api/v1/attempts/${((await begun.json()) as { id: string }).id}`;
    const save = (question: string, answer: object) =>
      fetch(`${attempt}/answers/${question}`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ answer }),
      });
    await save("q0", { kind: "point", l0_x, l0_y: 250 });
    await save("q1", { kind: "choice", chosen: [chosen] });
    await fetch(`${attempt}/end`, { method: "POST" });
  }
  await openPanel(page);
  await page.getByRole("button", { name: "Results of Results" }).click();
  await expect(page.getByTestId("question-result")).toHaveCount(2);
  await expect(page.getByTestId("question-result").first()).toContainText("0.5");
  await expect(page.getByTestId("attempt-result").first()).toContainText("2 / 2");
  await page.getByRole("button", { name: "All clicks of Question 1" }).click();
  await expect(page.getByTestId("quiz-shapes").locator("[data-of=click]")).toHaveCount(2);
  await expect(page.getByTestId("click-density").locator("rect")).toHaveCount(2);
  await expectNothingSerious(page, "results of a quiz");
  await storePicture(page, info.outputPath("results.png"));
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByTestId("attempt-result").first()).toBeVisible();
  await storePicture(page, info.outputPath("results-phone.png"));
});

test("a text waits until the author marks it beside the model answer (QZ25)", async ({ page }, info) => {
  const text = { kind: "text", text: "Describe the gland", view: VIEW, points: 4, key: "A regular gland." };
  await create("Essay", [text], { mode: "exam", attempts: 1 });
  await openPanel(page);
  await page.getByRole("button", { name: "Take Essay" }).click();
  await page.getByLabel("Answer", { exact: true }).fill("Looks regular");
  await page.getByRole("button", { name: "Save answer" }).click();
  await expect(question(page)).toHaveAttribute("data-saved", "true");
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("button", { name: "Finish now" }).click();
  await expect(page.getByTestId("attempt-progress")).toHaveText("Finished: 1 answer is waiting for marking");
  await expect(feedback(page)).toContainText("Waiting for marking");
  await page.getByRole("button", { name: "All quizzes" }).click();
  await page.getByRole("button", { name: "Results of Essay" }).click();
  const marking = page.getByTestId("marking");
  await expect(marking).toContainText("Model answer: A regular gland.");
  await expect(page.getByTestId("marked-text")).toHaveText("Looks regular");
  await marking.getByLabel("Points of 4").fill("3");
  await marking.getByLabel("Comment").fill("The size is missing");
  await expectNothingSerious(page, "marking a text");
  await storePicture(page, info.outputPath("marking.png"));
  await marking.getByRole("button", { name: "Save and next" }).click();
  await expect(page.getByTestId("marking-left")).toContainText("0 to mark");
  await expect(page.getByTestId("attempt-result")).toContainText("3 / 4");
});

test("the link of a quiz begins it by its button, on a phone too (QZ26)", async ({ page }, info) => {
  const id = await create("Linked", [CHOICE], { mode: "exam", attempts: 1, seconds: 600 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${own.service.address}/quizzes/${id}`);
  await expect(page.getByRole("heading", { name: "Linked" })).toBeVisible();
  await expect(page.getByText("10 minutes")).toBeVisible();
  await expectNothingSerious(page, "the link of a quiz");
  await storePicture(page, info.outputPath("link.png"));
  await page.getByRole("button", { name: "Start" }).click();
  await slideIsOpen(page);
  await expect(question(page)).toContainText("Which organ?");
});
