// A class writes an exam in browsers of its own while the service is killed (QZ15 to QZ17, QZ27, QZ28).
import type { Browser, Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { type Name, PASSWORD, ROLES, signedIn } from "../harness/people.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.specimen;
const CLASS = Object.keys(ROLES) as Name[];
const QUESTIONS = 6;
const HOURS_WRONG = [-11, -3, 2, 7, 12];
const SECONDS = 1800;

const clinic = sharedClinic(SLIDE);

interface Results {
  readonly attempts: readonly {
    name: string;
    begun: string;
    over: boolean;
    answers: Record<string, { chosen: string[] }>;
  }[];
}

/** The headers of requests by Ivan, who owns the slide. */
async function author(): Promise<Record<string, string>> {
  const common = { origin: clinic.service.address, "content-type": "application/json" };
  const body = JSON.stringify({ name: "ivan", password: PASSWORD });
  const entered = await fetch(`${clinic.service.address}/api/v1/sign-in`, { method: "POST", headers: common, body });
  return { ...common, cookie: entered.headers.getSetCookie()[0]!.split(";")[0]! };
}

async function send<T>(headers: Record<string, string>, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${clinic.service.address}/api/v1/${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
}

/** Everyone who has an account sees the slide; an exam of choices. */
async function writtenExam(headers: Record<string, string>): Promise<string> {
  await send(headers, "PUT", `slides/${SLIDE}/sharing`, { public: true, shares: [] });
  const view = { l0_x: 300, l0_y: 250, l0_width: 400, l0_height: 300 };
  const options = ["a", "b", "c"].map((id) => ({ id, text: `Organ ${id}` }));
  const questions = Array.from({ length: QUESTIONS }, (_, i) => {
    return { id: `q${i}`, kind: "choice", text: `Question ${i}`, view, options, key: ["b"] };
  });
  const exam = { title: "Exam", mode: "exam", attempts: 1, seconds: SECONDS, shuffled: true, questions };
  return (await send<{ id: string }>(headers, "POST", `quizzes?slide=${SLIDE}`, exam)).id;
}

/** A page of a person whose computer has a wrong clock. */
async function candidate(browser: Browser, name: Name, exam: string, hours: number): Promise<Page> {
  const { page } = await signedIn(browser, clinic.service, name);
  await page.setViewportSize({ width: 800, height: 600 });
  await page.addInitScript((shift) => {
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given: unknown[]) {
        super(...((given.length > 0 ? given : [Real.now() + shift]) as [number]));
      }
      static override now = (): number => Real.now() + shift;
    } as DateConstructor;
  }, hours * 3_600_000);
  await page.goto(`${clinic.service.address}/quizzes/${exam}`);
  await page.getByRole("button", { name: "Start" }).click();
  await slideIsOpen(page);
  return page;
}

const question = (page: Page) => page.getByTestId("question");

/** Clicks an option; which question it was. */
async function choose(page: Page, option: string): Promise<string> {
  await page.getByRole("radio", { name: `Organ ${option}` }).check();
  const text = await question(page)
    .getByText(/^Question \d$/)
    .textContent();
  return `q${text!.split(" ")[1]}`;
}

async function next(page: Page): Promise<void> {
  await expect(question(page)).toHaveAttribute("data-saved", "true", { timeout: 60_000 });
  await page.getByRole("button", { name: "Next", exact: true }).click();
}

test("five browsers write an exam while the service is killed: each answer is saved, by the clock of the service (QZ16, QZ17, QZ27, QZ28)", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const headers = await author();
  const began = Date.now();
  const exam = await writtenExam(headers);
  const pages: Page[] = [];
  for (const [i, name] of CLASS.entries()) pages.push(await candidate(browser, name, exam, HOURS_WRONG[i]!));
  const given = pages.map(() => new Map<string, string>());
  const answer = (option: (i: number) => string) =>
    Promise.all(pages.map(async (page, i) => given[i]!.set(await choose(page, option(i)), option(i))));
  for (const round of [0, 1]) {
    await answer((i) => "abc"[(i + round) % 3]!);
    await Promise.all(pages.map(next));
  }
  for (const page of pages) await expect(page.getByTestId("time-left")).toHaveText(/^(30:00|2\d:\d\d)$/);

  await clinic.service.stop("SIGKILL");
  await answer((i) => "bca"[i % 3]!); // nobody answers: the page says so and sends the answer again
  await expect(pages[0]!.getByTestId("attempt").getByRole("alert")).toBeVisible();
  for (const page of pages) await expect(question(page)).toHaveAttribute("data-saved", "false");
  await clinic.service.startAgain();
  await Promise.all(pages.map(next));

  for (let round = 3; round < QUESTIONS; round++) {
    await answer((i) => "abc"[(i + round) % 3]!);
    if (round < QUESTIONS - 1) await Promise.all(pages.map(next));
  }
  for (const page of pages) {
    await expect(question(page)).toHaveAttribute("data-saved", "true");
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("button", { name: "Finish now" }).click();
    await expect(page.getByTestId("attempt-progress")).toContainText("Finished");
  }
  const { attempts } = await send<Results>(headers, "GET", `quizzes/${exam}/results`);
  expect(attempts.map(({ name }) => name.toLowerCase()).toSorted()).toEqual([...CLASS].toSorted());
  for (const one of attempts) {
    const answers = Object.entries(one.answers).map(([id, { chosen }]) => [id, chosen[0]]);
    expect(new Map(answers as [string, string][]), one.name).toEqual(
      given[CLASS.indexOf(one.name.toLowerCase() as Name)],
    );
    expect(one.over).toBe(true);
    expect(Date.parse(one.begun)).toBeGreaterThanOrEqual(began - 1000);
    expect(Date.parse(one.begun)).toBeLessThanOrEqual(Date.now() + 1000);
  }
  for (const page of pages) await page.context().close();
});
