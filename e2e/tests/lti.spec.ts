// Wavescope in a frame of a learning platform on another site: a teacher chooses a quiz for a course, a learner takes it, and the
// score arrives (lti.md).
import { dirname } from "node:path";
import { type Browser, type BrowserContextOptions, type FrameLocator, type Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { type Clinic, startClinic } from "../harness/people.ts";
import { type Participant, Platform } from "../harness/platform.ts";
import { copyStore, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const TEACHER: Participant = { id: "t1", name: "Tessa Teacher", role: "Instructor" };
const LEARNER: Participant = { id: "77", name: "Lea Learner", role: "Learner" };
const QUESTION = {
  id: "q1",
  kind: "choice",
  text: "Which organ?",
  view: { l0_x: 300, l0_y: 250, l0_width: 400, l0_height: 300, rotation: 0, flip: false, plane: 0 },
  options: [
    { id: "x1", text: "Liver" },
    { id: "x2", text: "Kidney" },
  ],
  key: ["x2"],
  points: 2,
};

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

const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${clinic.service.address}/api/v1/${path}`, {
    method,
    headers: clinic.headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${path}: ${await answer.clone().text()}`).toBe(true);
  return (await answer.json()) as T;
};

/** A browser of its own that opens a page of the platform; the tool is in its frame. */
async function inCourse(
  browser: Browser,
  at: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; tool: FrameLocator }> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(at);
  return { page, tool: page.frameLocator("iframe[name=tool]") };
}

/** The slide becomes the teacher's, who writes a quiz for it in the frame. */
async function writeQuiz(page: Page, title: string): Promise<string> {
  const { users } = await send<{ users: { id: string; title: string }[] }>("GET", "users");
  const owner = users.find((one) => one.title === TEACHER.name)!.id;
  await send("PUT", `slides/${SLIDES.specimen}/sharing`, { public: false, shares: [], owner });
  const made = await page.frame("tool")!.evaluate(
    async ([slide, quiz]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1/quizzes?slide=${slide}`, { method: "POST", headers, body: quiz! });
      return { status: answer.status, body: (await answer.json()) as { id: string } };
    },
    [SLIDES.specimen, JSON.stringify({ title, mode: "exam", attempts: 1, questions: [QUESTION] })],
  );
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

test("a teacher links a quiz in a course, a learner takes it in a frame, and the score arrives (LT6, LT15, LT20, LT24)", async ({
  browser,
}, info) => {
  await send("POST", "lti/platforms", platform.facts());

  const teacher = await inCourse(browser, platform.showing(TEACHER));
  await expect(teacher.tool.getByRole("main")).toBeVisible();
  await writeQuiz(teacher.page, "Organs");
  await teacher.page.goto(platform.choosing(TEACHER));
  await storePicture(teacher.page, info.outputPath("choosing.png"));
  await teacher.tool.getByRole("button", { name: "Organs" }).click();
  await expect(teacher.tool.getByRole("heading", { name: "Links of the course" })).toBeVisible();
  expect(platform.links).toMatchObject([{ title: "Organs", points: 2 }]);
  await teacher.page.context().close();

  const learner = await inCourse(browser, platform.showing(LEARNER, 0));
  await expect(learner.tool.getByRole("heading", { name: "Organs" })).toBeVisible();
  await learner.tool.getByRole("button", { name: "Start" }).click();
  await learner.tool.getByRole("radio", { name: "Kidney" }).check();
  await expect(learner.tool.getByTestId("question")).toHaveAttribute("data-saved", "true");
  await storePicture(learner.page, info.outputPath("learner.png"));
  await learner.tool.getByRole("button", { name: "Finish" }).click();
  await learner.tool.getByRole("button", { name: "Finish now" }).click();
  await expect(learner.tool.getByTestId("attempt-progress")).toHaveText("Finished: 2 of 2 points");
  await expect
    .poll(() => platform.scores, { timeout: 60_000 })
    .toMatchObject([{ item: 0, userId: "77", scoreGiven: 2, scoreMaximum: 2 }]);
  await learner.page.context().close();
});
