// What is offered to whom: rights offered are rights had, and nothing is asked for that is refused (AC50, AN23).
import type { Page } from "@playwright/test";
import { click, drag, list, show, state } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { signedIn } from "../harness/people.ts";
import { everyoneLeaves, join, person, startSession } from "../harness/session.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.large;
const PATH = `/slides/${SLIDE}`;
const DESKTOP = { width: 1366, height: 768 };

const clinic = sharedClinic(SLIDE);
let link: string;
everyoneLeaves();

test.beforeAll(async ({ browser }) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  link = await ivan.page.evaluate(async (path) => {
    const send = async (method: string, at: string, body: unknown): Promise<Record<string, unknown>> => {
      const answer = await fetch(`/api/v1${at}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    await send("PUT", `${path}/sharing`, { public: true, shares: [] });
    const content = {
      kind: "rectangle",
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [900, 600],
            [1100, 600],
            [1100, 800],
            [900, 800],
            [900, 600],
          ],
        ],
      },
      name: "By Ivan",
    };
    await send("POST", `${path}/annotations:batch`, { changes: [{ id: "ivans", revision: 0, content }] });
    return (await send("POST", `${path}/links`, { right: "view", title: "to look" })).token as string;
  }, PATH);
  await ivan.context.close();
});

/** Collects what a page was refused. */
function refusalsOf(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (answer) => {
    if ([401, 403].includes(answer.status()))
      refused.push(`${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`);
  });
  return refused;
}

/** Looks at the slide with every panel in turn, until what is asked for again and again was asked for twice more. */
async function lookAround(page: Page): Promise<void> {
  const panels = page.getByTestId("panel-rail").getByRole("button");
  for (let i = 0; i < (await panels.count()); i += 1) await panels.nth(i).click();
  await page.getByRole("button", { name: "Annotations" }).click();
  for (let again = 0; again < 2; again += 1)
    await page.waitForResponse((answer) => answer.url().includes("/annotations?") && answer.url().includes("since="));
}

async function browse(page: Page): Promise<void> {
  await page.goto(clinic.service.address);
  await expect(page.getByTestId("slide-card")).toHaveCount(1);
  await page.waitForLoadState("networkidle");
}

const LOOKERS: Record<string, (page: Page) => Promise<unknown>> = {
  "a viewer": async (page) => {
    await page.goto(`${clinic.service.address}/sign-in?next=${encodeURIComponent(PATH)}`);
    await page.getByLabel("Name").fill("vera");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  },
  "a visitor without an account": (page) => page.goto(clinic.service.address + PATH),
  "the holder of a link": (page) => page.goto(`${clinic.service.address}/open#${link}`),
};

for (const [who, enter] of Object.entries(LOOKERS)) {
  test(`${who} looks at a slide and the gallery, and nothing that the page asks for is refused (AC50)`, async ({
    page,
  }) => {
    await enter(page);
    await page.waitForURL((url) => url.pathname === PATH);
    await slideIsOpen(page);
    const refused = refusalsOf(page); // a page that is opened without a sign-in may find that out
    await lookAround(page);
    await browse(page);
    await openSlide(page, SLIDE, clinic.service.address);
    await lookAround(page);
    expect(refused).toEqual([]);
  });
}

test("a guest of a session looks at its slide, and nothing that the page asks for is refused (AC50)", async ({
  browser,
  page,
}) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  const code = await startSession(ivan.page, "Ivan");
  const guest = await person(browser, DESKTOP);
  await join(guest, clinic.service.address, code, "Greta");
  const refused = refusalsOf(guest);
  await lookAround(guest);
  expect(refused).toEqual([]);
  await ivan.context.close();
  expect(page.url()).toBe("about:blank");
});

test("who may only look measures, nothing of it is saved, and nothing else is offered (AN23)", async ({ browser }) => {
  const { context, page } = await signedIn(browser, clinic.service, "vera", PATH);
  await slideIsOpen(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && !request.url().endsWith("/blocks:batch"))
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.getByRole("button", { name: "Annotations" }).click();
  await page.waitForFunction(() => window.__wavescope.annotations.state().save === "saved");
  const bar = page.getByTestId("annotation-tools");
  await expect(bar.getByRole("button", { name: /not saved$/ })).toHaveCount(3);
  for (const name of ["Rectangle", "Point", "Text", "Arrow", "Freehand", "Ellipse"])
    await expect(bar.getByRole("button", { name })).toHaveCount(0);
  for (const name of ["Import GeoJSON or Web Annotations", "Add", "Camera"]) {
    const shown = name === "Camera" ? 1 : 0; // who may look may save what is shown
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(shown);
  }
  await expect(page.getByTestId("measure-only")).toContainText("not saved");
  await expect(page.getByTestId("annotation-save")).toHaveText("Measurements are not saved");
  await show(page, 600, 400, 1600, 900);
  await bar.getByRole("button", { name: "Length, not saved" }).click();
  await drag(page, [
    [1300, 600],
    [1600, 1000],
  ]);
  await expect(page.getByRole("option", { name: /^Length \(not saved\)/ })).toBeVisible();
  await bar.getByRole("button", { name: "Angle, not saved" }).click();
  await click(page, [
    [1700, 600],
    [1700, 800],
    [1900, 800],
  ]);
  await expect(page.getByRole("option", { name: /^Angle \(not saved\)/ })).toBeVisible();
  // another's annotation can be looked at, not changed
  await page.getByRole("option", { name: /By Ivan/ }).click();
  await expect(page.getByTestId("annotation-editor").getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Delete selected" })).toHaveCount(0);
  const before = (await list(page)).find(({ id }) => id === "ivans");
  await page.getByTestId("viewer").focus();
  for (const key of ["Alt+ArrowRight", "Delete", "q"]) await page.keyboard.press(key);
  await drag(page, [
    [900, 700],
    [960, 760],
  ]);
  expect((await list(page)).find(({ id }) => id === "ivans")).toEqual(before);
  expect((await list(page)).map(({ kind }) => kind).sort()).toEqual(["angle", "line", "rectangle"]);
  // one's own measurement can be changed and deleted
  await page.getByRole("option", { name: /^Length/ }).click();
  await page.getByRole("button", { name: "Delete selected" }).click();
  expect((await state(page)).count).toBe(2);
  await page.getByRole("button", { name: "Tours" }).click();
  await expect(page.getByRole("button", { name: "New tour" })).toHaveCount(0);
  expect(sent).toEqual([]);
  await page.reload();
  await slideIsOpen(page);
  await page.waitForFunction(() => window.__wavescope.annotations.state().save === "saved");
  expect((await list(page)).map(({ kind }) => kind)).toEqual(["rectangle"]);
  await context.close();
});
