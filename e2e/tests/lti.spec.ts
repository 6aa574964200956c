// Wavescope in a frame of a learning platform on another site: a teacher chooses a quiz for a course, a learner takes it, and the
// score arrives (lti.md).
import { dirname } from "node:path";
import { type Browser, type BrowserContextOptions, type FrameLocator, type Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { type Clinic, signedIn, startClinic } from "../harness/people.ts";
import { type Participant, Platform } from "../harness/platform.ts";
import { copyStore, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const TEACHER: Participant = { id: "t1", name: "Tessa Teacher", role: "Instructor" };
const LEARNER: Participant = { id: "77", name: "Lea Learner", role: "Learner" };
const CHOICE = {
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

const POINT = {
  id: "q1",
  kind: "point",
  text: "Click the gland",
  view: { l0_x: 300, l0_y: 250, l0_width: 400, l0_height: 300, rotation: 0, flip: false, plane: 0 },
  key: { l0_x: 300, l0_y: 250, l0_radius: 30 },
};
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let clinic: Clinic;
let platform: Platform;

test.beforeAll(async () => {
  clinic = await startClinic(copyStore(process.env.WAVESCOPE_E2E_STORE!));
  platform = await Platform.start(clinic.service.address);
  await send("POST", "lti/platforms", platform.facts());
});
test.afterAll(async () => {
  await platform.stop();
  await clinic.service.stop();
  removeFolder(dirname(clinic.service.store));
});

test.use({ contextOptions: { reducedMotion: "reduce" } });

const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${clinic.service.address}/api/v1/${path}`, {
    method,
    headers: clinic.headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${path}: ${await answer.clone().text()}`).toBe(true);
  return (await answer.json()) as T;
};

/** A browser that blocks cookies of other sites opens a page of the platform; the tool is in its frame. */
async function inCourse(
  browser: Browser,
  at: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; tool: FrameLocator }> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCookieControls", {
    enableThirdPartyCookieRestriction: true,
  });
  await page.goto(at);
  return { page, tool: page.frameLocator("iframe[name=tool]") };
}

/** The slide becomes the teacher's, who writes a quiz for it in the frame. */
async function writeQuiz(page: Page, title: string, question: object): Promise<void> {
  const { users } = await send<{ users: { id: string; title: string }[] }>("GET", "users");
  const owner = users.find((one) => one.title === TEACHER.name)!.id;
  await send("PUT", `slides/${SLIDES.specimen}/sharing`, { public: false, shares: [], owner });
  const made = await page.frame("tool")!.evaluate(
    async ([slide, quiz]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1/quizzes?slide=${slide}`, { method: "POST", headers, body: quiz! });
      return { status: answer.status, text: await answer.text() };
    },
    [SLIDES.specimen, JSON.stringify({ title, mode: "exam", attempts: 1, questions: [question] })],
  );
  expect(made.status, made.text).toBe(201);
}

test("a teacher links a quiz in a course, a learner takes it in a frame, and the score arrives (LT6, LT15, LT20, LT24)", async ({
  browser,
}, info) => {
  const teacher = await inCourse(browser, platform.showing(TEACHER));
  await expect(teacher.tool.getByRole("main")).toBeVisible();
  await writeQuiz(teacher.page, "Organs", CHOICE);
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

test("a second launch into the same course shows its page after the first one has stored the page (LT16, PG10)", async ({
  browser,
}) => {
  const { page, tool } = await inCourse(browser, platform.showing(TEACHER));
  await expect(tool.getByRole("main")).toBeVisible();
  await writeQuiz(page, "Again", CHOICE);
  await page.goto(platform.choosing(TEACHER));
  await tool.getByRole("link", { name: "Slides" }).click();
  await tool.getByRole("listitem").getByRole("button").first().click();
  await expect(tool.getByRole("heading", { name: "Links of the course" })).toBeVisible();
  const link = platform.links.length - 1;
  for (let launch = 0; launch < 3; launch++) {
    await page.goto(platform.showing(TEACHER, link));
    await expect(tool.getByTestId("viewer")).toBeVisible();
    await page.frame("tool")!.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active!.state !== "activated")
        await new Promise((resolve) => active!.addEventListener("statechange", resolve, { once: true }));
    });
  }
  await page.context().close();
});

test("what a link opens is searched and chosen, on a phone too, by keyboard alone (LT20)", async ({
  browser,
  page,
}, info) => {
  const teacher = await inCourse(browser, platform.showing(TEACHER));
  await expect(teacher.tool.getByRole("main")).toBeVisible();
  for (const title of ["Mitoses of the breast", "Glands"]) await writeQuiz(teacher.page, title, CHOICE);
  await teacher.page.context().close();

  await page.goto(platform.choosingInWindow(TEACHER));
  await expect(page.getByRole("button", { name: "Glands" })).toBeVisible();
  await page.getByRole("link", { name: "Slides" }).click();
  await expect(page.getByRole("link", { name: "Slides" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("listitem")).toHaveCount(1);
  await expectNothingSerious(page, "choosing what a link opens");
  await storePicture(page, info.outputPath("slides.png"));
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize(PHONE.viewport);
  await page.getByRole("link", { name: "Quizzes" }).click();
  await expectNothingSerious(page, "choosing what a link opens on a phone");
  await storePicture(page, info.outputPath("phone.png"));
  await page.getByRole("searchbox", { name: "Title" }).focus();
  await page.keyboard.type("breast mit");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listitem")).toHaveText(["Mitoses of the breast"]);
  await page.getByRole("button", { name: "Mitoses of the breast" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Links of the course" })).toBeVisible();
  expect(platform.links.at(-1)).toMatchObject({ title: "Mitoses of the breast", points: 2 });
});

test("a learner with a phone answers by a tap in the frame of the course (LT14, LT24)", async ({ browser }, info) => {
  const teacher = await inCourse(browser, platform.showing(TEACHER));
  await expect(teacher.tool.getByRole("main")).toBeVisible();
  await writeQuiz(teacher.page, "Tap", POINT);
  await teacher.page.goto(platform.choosing(TEACHER));
  await teacher.tool.getByRole("button", { name: "Tap" }).click();
  await expect(teacher.tool.getByRole("heading", { name: "Links of the course" })).toBeVisible();
  await teacher.page.context().close();

  const link = platform.links.length - 1;
  const { page, tool } = await inCourse(browser, platform.showing({ ...LEARNER, id: "78" }, link), PHONE);
  await tool.getByRole("button", { name: "Start" }).tap();
  await expect(tool.getByTestId("question")).toContainText("Click the gland");
  const spot = await page.frame("tool")!.evaluate(async () => {
    await window.__wavescope.idle();
    return window.__wavescope.annotations.inViewer(300, 250);
  });
  const viewer = (await tool.getByTestId("viewer").boundingBox())!;
  await page.touchscreen.tap(viewer.x + spot.x, viewer.y + spot.y);
  await expect(tool.getByTestId("quiz-shapes")).toBeVisible();
  await storePicture(page, info.outputPath("tap.png"));
  await tool.getByRole("button", { name: "Finish" }).tap();
  await tool.getByRole("button", { name: "Finish now" }).tap();
  await expect
    .poll(() => platform.scores, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ item: link, userId: "78", scoreGiven: 1, scoreMaximum: 1 }));
  await page.context().close();
});

test("an author reads who of the course has not begun, an administrator which scores were not accepted (LT1, LT26, LT30)", async ({
  browser,
}, info) => {
  platform.refusing = true;
  const teacher = await inCourse(browser, platform.showing(TEACHER));
  await expect(teacher.tool.getByRole("main")).toBeVisible();
  await writeQuiz(teacher.page, "Missing", CHOICE);
  await teacher.page.goto(platform.choosing(TEACHER));
  await teacher.tool.getByRole("button", { name: "Missing" }).click();
  await expect(teacher.tool.getByRole("heading", { name: "Links of the course" })).toBeVisible();

  const link = platform.links.length - 1;
  platform.showing({ id: "81", name: "Nora Late", role: "Learner" }, link); // a member who opens nothing
  const learner = await inCourse(browser, platform.showing({ id: "80", name: "Bo Early", role: "Learner" }, link));
  await learner.tool.getByRole("button", { name: "Start" }).click();
  await learner.tool.getByRole("radio", { name: "Kidney" }).check();
  await expect(learner.tool.getByTestId("question")).toHaveAttribute("data-saved", "true");
  await learner.tool.getByRole("button", { name: "Finish" }).click();
  await learner.tool.getByRole("button", { name: "Finish now" }).click();
  await expect(learner.tool.getByTestId("attempt-progress")).toContainText("Finished");
  await learner.page.context().close();

  await teacher.page.goto(platform.showing(TEACHER, link));
  await teacher.tool.getByRole("button", { name: "Start" }).click();
  await teacher.tool.getByRole("button", { name: "All quizzes" }).click();
  await teacher.tool.getByRole("button", { name: "Results of Missing" }).click();
  const missing = teacher.tool.getByTestId("not-begun");
  await expect(missing).toContainText(/Pathology: (not begun|nicht begonnen): [1-9]\d* (of|von) [1-9]\d*/);
  await missing.getByRole("button", { name: "Show names" }).click();
  await expect(missing).toContainText("Nora Late");
  await expect(missing).not.toContainText("Bo Early");
  await storePicture(teacher.page, info.outputPath("missing.png"));
  await teacher.page.context().close();

  const { context, page } = await signedIn(browser, clinic.service, "adam", "/people");
  const card = page.getByTestId("platforms").getByTestId("platform").filter({ hasText: "Academy" });
  await expect(card).toContainText("1 score was not accepted and will be sent again", { timeout: 30_000 });
  await card.scrollIntoViewIfNeeded();
  await storePicture(page, info.outputPath("scores.png"));
  await context.close();
  platform.refusing = false;
});

test("an administrator registers platforms by a link and by hand, and removes one (LT1, LT3, LT5)", async ({
  browser,
}, info) => {
  const { context, page } = await signedIn(browser, clinic.service, "adam", "/people");
  const section = page.getByTestId("platforms");
  const card = (text: string) => section.getByTestId("platform").filter({ hasText: text });
  await expect(card(platform.address)).toContainText("Academy");

  await section.getByRole("button", { name: "Register by link" }).click();
  const invitation = await section.getByLabel("Registration link", { exact: true }).inputValue();
  const another = await Platform.start(clinic.service.address);
  const there = await context.newPage();
  await there.goto(another.registering(invitation));
  await expect(there.getByRole("heading", { name: "Wavescope is registered" })).toBeVisible();
  await there.close();
  await expect(card(another.address)).toContainText("Not launched yet");
  await section.scrollIntoViewIfNeeded();
  await storePicture(page, info.outputPath("platforms.png"));
  const course = await inCourse(browser, another.showing(LEARNER));
  await expect(course.tool.getByRole("main")).toBeVisible();
  await course.page.context().close();
  await expect(card(another.address)).toContainText("Last launch: ");
  await card(another.address).getByRole("button", { name: "Remove" }).click();
  await card(another.address).getByRole("button", { name: "Remove academy and its waiting scores" }).click();
  await expect(card(another.address)).toHaveCount(0);
  await another.stop();

  await page.setViewportSize(PHONE.viewport);
  await section.getByRole("button", { name: "Add by hand" }).click();
  const form = section.getByRole("form", { name: "Add by hand" });
  const filled = {
    Title: "Campus",
    "Issuer (platform ID)": "https://user@campus.example",
    "Client ID": "c1",
    "Authentication request URL": "https://campus.example/auth",
    "Access token URL": "https://campus.example/token",
    "Public keyset URL": "https://campus.example/keys",
    "Deployment IDs": "1, 2",
  };
  for (const [name, text] of Object.entries(filled)) await form.getByRole("textbox", { name }).last().fill(text);
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expect(form.getByRole("alert")).toContainText("https");
  await expectNothingSerious(page, "adding a platform by hand on a phone");
  await storePicture(page, info.outputPath("by-hand.png"));
  await form.getByRole("textbox", { name: "Issuer" }).fill("https://campus.example");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expect(card("https://campus.example")).toContainText("Not launched yet");
  await expect(form).toHaveCount(0);
  await context.close();
});
