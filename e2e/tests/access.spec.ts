// Two users and the holder of a link: sharing, revocation and a sign-in that runs out while the slide is moved (access.md).
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectExact, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { signedIn, startClinic } from "../harness/people.ts";
import { type Service, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.large;
const PATH = `/slides/${SLIDE}`;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let service: Service;
test.beforeAll(async () => {
  service = await startClinic(SLIDE);
});
test.afterAll(async () => {
  await service.stop();
  removeFolder(service.store);
});

async function expectNothingSerious(page: Page, place: string): Promise<void> {
  await expect(async () => {
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)), place).toEqual([]);
  }).toPass({ timeout: 10_000 });
}

/** Moves to a part of level 0 that was not looked at. */
const lookAt = (page: Page, step: number): Promise<void> =>
  page.evaluate((step) => window.__wavescope.viewport.fit(700 * step, 500, 900, 600), step);

async function share(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Share the slide" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("People and groups").fill(name);
  await page.getByRole("option", { name }).click();
  await expect(dialog.getByTestId("share")).toContainText(name);
}

test("without accounts there is nothing to sign in to", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await expect(page.getByRole("button", { name: "Share the slide" })).toHaveCount(0);
  await page.goto(process.env.WAVESCOPE_E2E_ADDRESS!);
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Account of/ })).toHaveCount(0);
});

test("a slide is shared with a user, who looks at it until it is taken back while moving", async ({ browser }) => {
  const ivan = await signedIn(browser, service, "ivan", PATH);
  const vera = await signedIn(browser, service, "vera");
  await expect(vera.page.getByRole("heading", { name: "No slides are shared with you yet" })).toBeVisible();
  await slideIsOpen(ivan.page);
  await share(ivan.page, "Vera");
  await expectNothingSerious(ivan.page, "share dialog");
  await openSlide(vera.page, SLIDE, service.address);
  await expectExact(vera.page);
  await expect(vera.page.getByRole("button", { name: "Share the slide" })).toHaveCount(0);
  await lookAt(vera.page, 1);
  await expectExact(vera.page);
  await ivan.page.getByRole("button", { name: "Share no more with Vera" }).click();
  await expect(ivan.page.getByTestId("share")).toHaveCount(0);
  const refused = vera.page.waitForResponse((answer) => answer.status() === 404 && answer.url().includes(PATH));
  await lookAt(vera.page, 3);
  await refused;
  await vera.page.reload();
  await expect(vera.page.getByRole("heading", { name: "There is no such slide" })).toBeVisible();
  await Promise.all([ivan.context.close(), vera.context.close()]);
});

test("a sign-in that runs out while the slide is moved is renewed, and nothing is lost", async ({ browser }) => {
  const { context, page } = await signedIn(browser, service, "ivan", PATH);
  await slideIsOpen(page);
  const answers: { path: string; status: number }[] = [];
  page.on("response", (answer) => answers.push({ path: new URL(answer.url()).pathname, status: answer.status() }));
  for (const step of [1, 2, 3]) {
    const cookies = (await context.cookies()).filter((cookie) => cookie.name === "wavescope_session");
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, value: "wss_run-out" })));
    await lookAt(page, step);
    await expectExact(page);
  }
  expect(answers.filter(({ path, status }) => path.endsWith("/sign-in/renew") && status === 204)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(3);
  expect(new Set(answers.filter(({ status }) => status >= 400).map(({ status }) => status))).toEqual(new Set([401]));
  await context.close();
});
