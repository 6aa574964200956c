// The tutorial "Teach a class", section "From Moodle or Canvas", by its own words: from a slide file to a graded quiz. The report says how
// long each step takes.
import { dirname } from "node:path";
import type { Browser, FrameLocator, Page } from "@playwright/test";
import { storePicture } from "../harness/looks.ts";
import { type Clinic, signedIn, startClinic } from "../harness/people.ts";
import { type Participant, Platform } from "../harness/platform.ts";
import { copyStore, realSlide, removeFolder } from "../harness/service.ts";
import { REGION_FILE } from "../harness/slides.ts";
import { expect, test } from "../harness/test.ts";

const TEACHER: Participant = { id: "t1", name: "Tessa Teacher", role: "Instructor" };
const LEARNER: Participant = { id: "77", name: "Lea Learner", role: "Learner" };
const PATIENT = { timeout: 120_000 };

test.use({ actionTimeout: 40_000 });

let clinic: Clinic;
let platform: Platform;

test.beforeAll(async () => {
  clinic = await startClinic(copyStore(process.env.WAVESCOPE_E2E_STORE!));
  platform = await Platform.start(clinic.service.address);
});
test.afterAll(async () => {
  await platform.stop();
  await clinic.service.stop();
  removeFolder(dirname(clinic.service.store));
});

async function inCourse(browser: Browser, at: string): Promise<{ page: Page; tool: FrameLocator }> {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1366, height: 768 } });
  const page = await context.newPage();
  await page.goto(at);
  return { page, tool: page.frameLocator("iframe[name=tool]") };
}

test("a teacher comes from a slide file to a graded quiz in a course (LT5, LT14, LT20, LT24)", async ({
  browser,
}, info) => {
  const file = realSlide(REGION_FILE);
  test.skip(file === undefined, "needs the shared slides");
  test.setTimeout(600_000);
  const seconds: Record<string, number> = {};
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const found = await test.step(name, work);
    seconds[name] = Math.round((performance.now() - began) / 100) / 10;
    return found;
  };

  await step("register the service at the platform", async () => {
    const { context, page } = await signedIn(browser, clinic.service, "adam");
    await page.getByRole("button", { name: "Account of Adam" }).click();
    await page.getByRole("menuitem", { name: "Users and groups" }).click();
    const section = page.getByTestId("platforms");
    await section.getByRole("button", { name: "Register by link" }).click();
    const link = await section.getByLabel("Registration link", { exact: true }).inputValue();
    await page.goto(platform.registering(link));
    await expect(page.getByRole("heading", { name: "Wavescope is registered" })).toBeVisible();
    await context.close();
  });

  const teacher = await inCourse(browser, platform.showing(TEACHER));
  const { tool } = teacher;
  await step("upload and import a slide", async () => {
    const [chooser] = await Promise.all([
      teacher.page.waitForEvent("filechooser"),
      tool.getByRole("button", { name: "Upload" }).first().click(),
    ]);
    await chooser.setFiles(file!);
    const row = tool.getByTestId("incoming").filter({ hasText: REGION_FILE });
    const answered = tool.getByRole("dialog", { name: "Already imported" }).getByRole("button", { name: /again/i });
    const ready = row.and(tool.locator("[data-phase=done]"));
    await expect(answered.or(ready).first()).toBeVisible(PATIENT);
    if (await answered.isVisible()) await answered.click();
    await expect(row).toHaveAttribute("data-phase", "done", PATIENT);
    await row.getByRole("button", { name: "Open" }).click();
    await expect(tool.getByTestId("viewer")).toBeVisible();
  });

  await step("write an exam of two questions", async () => {
    await tool.getByRole("button", { name: "Tours", exact: true }).click();
    await tool.getByRole("button", { name: "New quiz" }).click();
    const editor = tool.getByTestId("quiz-editor");
    await editor.getByLabel("Title").fill("Skin");
    await editor.getByText("Exam", { exact: true }).click();
    await editor.getByRole("button", { name: "Add question" }).click();
    await editor.getByLabel("Text of Question 1").fill("Which organ?");
    await editor.getByLabel("Option 1 of Question 1", { exact: true }).fill("Skin");
    await editor.getByLabel("Option 2 of Question 1", { exact: true }).fill("Liver");
    await editor.getByLabel("Option 1 of Question 1 is right").check();
    await editor.getByRole("combobox", { name: "Kind of question" }).click();
    await tool.getByRole("option", { name: "Number" }).click();
    await editor.getByRole("button", { name: "Add question" }).click();
    await editor.getByLabel("Text of Question 2").fill("How many layers?");
    await storePicture(teacher.page, info.outputPath("writing.png"));
    await editor.getByRole("button", { name: "Save" }).click();
    await expect(tool.getByTestId("quiz-saved")).toHaveAttribute("data-saved", "true");
  });

  await step("add the quiz to the course", async () => {
    await teacher.page.goto(platform.choosing(TEACHER));
    await tool.getByRole("button", { name: "Skin" }).click();
    await expect(tool.getByRole("heading", { name: "Links of the course" })).toBeVisible();
  });

  await step("a student takes it", async () => {
    const learner = await inCourse(browser, platform.showing(LEARNER, 0));
    await learner.tool.getByRole("button", { name: "Start" }).click();
    await learner.tool.getByRole("radio", { name: "Skin" }).check();
    await expect(learner.tool.getByTestId("question")).toHaveAttribute("data-saved", "true");
    await learner.tool.getByRole("button", { name: "Finish" }).click();
    await learner.tool.getByRole("button", { name: "Finish now" }).click();
    await expect(learner.tool.getByTestId("attempt-progress")).toContainText("Finished: 1 of 2 points");
    await learner.page.context().close();
  });

  await step("the points are in the gradebook", async () => {
    await expect
      .poll(() => platform.scores, { timeout: 60_000 })
      .toMatchObject([{ item: 0, userId: "77", scoreGiven: 1, scoreMaximum: 2 }]);
  });

  await step("read the results", async () => {
    await teacher.page.goto(platform.showing(TEACHER));
    await tool.getByTestId("slide-card").filter({ hasText: "CMU" }).getByRole("link").first().click();
    await tool.getByRole("button", { name: "All quizzes" }).click(); // the panel shows what was open last
    await tool.getByRole("button", { name: "Results of Skin" }).click();
    await expect(tool.getByTestId("attempt-result")).toContainText("Lea Learner");
    await storePicture(teacher.page, info.outputPath("results.png"));
  });
  await teacher.page.context().close();
  info.annotations.push({ type: "seconds", description: JSON.stringify(seconds) });
  expect(Object.values(seconds).reduce((all, one) => all + one, 0)).toBeLessThan(900);
  console.log(JSON.stringify(seconds));
});
