// Coverage: what was seen of the tissue, per objective, and the way through what was not.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { pinch } from "../harness/fingers.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, storePicture } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen, viewState } from "../harness/microscope.ts";
import { signedIn } from "../harness/people.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: SIZES.laptop });

const EVERYONE = { public: true, shares: [] };
const AT_40 = "#x=1400&y=1100&scale=1";
const parts = (page: Page) => page.getByTestId("coverage-parts").getByRole("listitem");
const fields = (page: Page) => page.getByTestId("coverage");
const group = (page: Page) => page.getByRole("group", { name: "Coverage" });

/** The percent at each objective, by its label. */
async function percents(page: Page): Promise<Record<string, number>> {
  const texts = await parts(page).allInnerTexts();
  const found = new Map<string, number>();
  for (const text of texts) {
    const [label, part] = text.split(/\s+/) as [string, string];
    found.set(label, Number.parseInt(part.replace("<", ""), 10));
  }
  return Object.fromEntries(found);
}

async function show(page: Page): Promise<void> {
  await group(page).getByRole("button", { name: "Coverage", exact: true }).click();
  await expect(parts(page).first()).toBeVisible();
}

/** Opens what the user agrees to. */
async function keepAndShare(page: Page): Promise<void> {
  await group(page).getByRole("button", { name: "Keep and share coverage" }).click();
}

/** Presses a key of the way and waits until the field was seen, or the way says something. */
async function step(page: Page, key: string): Promise<{ x: number; y: number }> {
  const before = Number(await fields(page).getAttribute("data-fields"));
  await page.keyboard.press(key);
  await idle(page);
  await expect.poll(async () => Number(await fields(page).getAttribute("data-fields"))).toBeGreaterThanOrEqual(before);
  const { l0_x, l0_y } = await page.evaluate(() => window.__wavescope.viewport.viewLink());
  return { x: Math.round(l0_x), y: Math.round(l0_y) };
}

test("the parts of the tissue grow with what was seen sharply, at this magnification and lower ones (CV3, CV4)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, AT_40);
  await show(page);
  await expect(fields(page)).toHaveAttribute("data-fields", "1");
  const one = await percents(page);
  expect(one["40×"]).toBeGreaterThan(5);
  expect(one["40×"]).toBeLessThan(40);
  expect(one["10×"]).toBe(one["40×"]);
  await page.mouse.move(600, 400);
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, 100); // notches of a mouse's wheel
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale < 0.6);
  await idle(page);
  await expect(fields(page)).toHaveAttribute("data-fields", "2");
  await expect.poll(async () => (await percents(page))["20×"]).toBeGreaterThan(one["20×"]!);
  expect((await percents(page))["40×"]).toBe(one["40×"]);
});

test("a trackpad's stream of small movements is one field, where it ends (CV2)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, AT_40);
  await show(page);
  await expect(fields(page)).toHaveAttribute("data-fields", "1");
  await page.mouse.move(600, 400);
  for (let i = 0; i < 25; i++) await page.mouse.wheel(0, 4);
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale < 0.95);
  await idle(page);
  await expect(fields(page)).toHaveAttribute("data-fields", "2");
});

test("the keys lead through all tissue in a serpentine, and back; they know where they were after a reload (CV5, CV7)", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await openSlide(page, SLIDES.specimen, undefined, AT_40);
  await show(page);
  await page
    .getByTestId("viewer")
    .or(page.locator(".openseadragon-container"))
    .first()
    .click({ position: { x: 300, y: 300 } });
  const stops = [await step(page, "Shift+F"), await step(page, "Shift+F"), await step(page, "Shift+F")];
  expect(new Set(stops.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
  expect(stops[0]!.y).toBeLessThan(1000);
  expect(await step(page, "Shift+G")).toEqual(stops[1]);
  await page.reload();
  await slideIsOpen(page);
  await show(page);
  await page.keyboard.press("Shift+ArrowLeft"); // elsewhere
  await idle(page);
  let last = await step(page, "Shift+F");
  expect(last).not.toEqual(stops[1]);
  for (let i = 0; i < 30 && (await percents(page))["40×"]! < 100; i++) {
    const next = await step(page, "Shift+F");
    expect(next.y, "rows from the top, until the way begins again").toBeGreaterThanOrEqual(
      Math.min(last.y, stops[0]!.y),
    );
    last = next;
    await expect.poll(async () => Number(await fields(page).getAttribute("data-fields"))).toBeGreaterThan(i);
  }
  await expect.poll(async () => (await percents(page))["40×"]).toBe(100);
  await page.keyboard.press("Shift+F");
  await expect(page.getByText("All tissue was seen at this magnification")).toBeVisible();
  await group(page).getByRole("button", { name: "Clear coverage" }).click();
  await expect.poll(async () => (await percents(page))["40×"]).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await percents(page))["40×"]).toBe(100);
});

test("with the whole slide in view the way asks for a magnification (CV5)", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("Shift+F");
  await expect(page.getByText("The whole slide is in view. Choose a magnification first.")).toBeVisible();
});

test("by keyboard alone coverage is shown, followed and hidden, and axe finds nothing", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, AT_40);
  await page.keyboard.press("Shift+V");
  await expect(parts(page).first()).toBeVisible();
  const next = group(page).getByRole("button", { name: "Next unseen field with tissue" });
  await next.focus();
  const before = await viewState(page);
  await page.keyboard.press("Enter");
  await page.waitForFunction((x) => window.__wavescope.viewport.state().l0_x !== x, before.l0_x);
  await expectNothingSeriousInEither(page, "coverage");
  await page.keyboard.press("Shift+V");
  await expect(parts(page)).toHaveCount(0);
});

for (const [name, viewport] of Object.entries(SIZES))
  test.describe(name, () => {
    test.use({ viewport, hasTouch: true });

    test(`coverage on a ${name}: two fingers make a field, a tap goes to the next`, async ({ page }) => {
      await openSlide(page, SLIDES.specimen, undefined, AT_40);
      await group(page).getByRole("button", { name: "Coverage", exact: true }).tap();
      await expect(parts(page).first()).toBeVisible();
      await expect(fields(page)).toHaveAttribute("data-fields", "1");
      await pinch(page, viewport.width / 2 - 60, viewport.height / 2 + 40);
      await idle(page);
      await expect(fields(page)).toHaveAttribute("data-fields", "2");
      const before = await viewState(page);
      await group(page).getByRole("button", { name: "Next unseen field with tissue" }).tap();
      await page.waitForFunction((x) => window.__wavescope.viewport.state().l0_x !== x, before.l0_x);
      await idle(page);
      const seen = async (): Promise<number> => Number(await fields(page).getAttribute("data-fields"));
      await expect.poll(seen).toBeGreaterThanOrEqual(3); // a slow machine may rest on the way
      for (const button of await group(page).getByRole("button").all())
        await expect(button).toBeInViewport({ ratio: 1 });
      await storePicture(page, `test-results/coverage-${name}.png`);
    });
  });

test.describe("with an account", () => {
  const clinic = sharedClinic(SLIDES.specimen);

  test("coverage is kept with the account of who agrees, comes to another browser, and goes again (CV8)", async ({
    browser,
  }) => {
    const path = `/slides/${SLIDES.specimen}${AT_40}`;
    const here = await signedIn(browser, clinic.service, "ivan", path);
    await slideIsOpen(here.page);
    await show(here.page);
    await keepAndShare(here.page);
    const agree = here.page.getByRole("switch", { name: "Keep with my account" });
    await expect(agree).not.toBeChecked();
    await expect(fields(here.page)).toHaveAttribute("data-fields", "1");
    const stored = here.page.waitForResponse(
      (answer) => answer.request().method() === "PUT" && answer.url().includes("/me/coverage/"),
    );
    await agree.focus();
    await here.page.keyboard.press("Space");
    expect((await stored).status()).toBe(204);
    await expect(agree).toBeChecked();
    await expectNothingSeriousInEither(here.page, "coverage with an account");
    await storePicture(here.page, "test-results/coverage-account.png");

    const there = await signedIn(browser, clinic.service, "ivan", `/slides/${SLIDES.specimen}`);
    await slideIsOpen(there.page);
    await show(there.page);
    await keepAndShare(there.page);
    await expect(there.page.getByRole("switch", { name: "Keep with my account" })).toBeChecked();
    await expect(fields(there.page)).toHaveAttribute("data-fields", "1");

    const gone = here.page.waitForResponse(
      (answer) => answer.request().method() === "DELETE" && answer.url().endsWith("/me/coverage"),
    );
    await agree.focus();
    await here.page.keyboard.press("Space");
    expect((await gone).status()).toBe(204);
    const later = await signedIn(browser, clinic.service, "ivan", `/slides/${SLIDES.specimen}`);
    await slideIsOpen(later.page);
    await show(later.page);
    await keepAndShare(later.page);
    await expect(later.page.getByRole("switch", { name: "Keep with my account" })).not.toBeChecked();
    await expect(fields(later.page)).toHaveAttribute("data-fields", "0");
    for (const { context } of [here, there, later]) await context.close();
  });

  test("who owns a slide sees what three people or more saw of it, and never who (CV12, CV13)", async ({ browser }) => {
    const path = `/slides/${SLIDES.specimen}${AT_40}`;
    const ivan = await signedIn(browser, clinic.service, "ivan", path);
    await slideIsOpen(ivan.page);
    await show(ivan.page);
    await group(ivan.page).getByRole("button", { name: "What others saw" }).click();
    const summary = ivan.page.getByTestId("people-summary");
    await expect(summary).toHaveText("Fewer than three people share what they saw of this slide.");

    const api = `${clinic.service.address}/api/v1`;
    const headers = { origin: clinic.service.address };
    await ivan.context.request.put(`${api}/slides/${SLIDES.specimen}/sharing`, { headers, data: EVERYONE });
    for (const name of ["vera", "anna"] as const) {
      const other = await signedIn(browser, clinic.service, name);
      const view = [0, 0, 1400, 2200, 0, 1, 9, 1];
      const log = { views: [view], at: null, reviewed: name === "vera" ? 1_780_000_000 : null, consent: true };
      await other.context.request.put(`${api}/me/coverage/${SLIDES.specimen}`, { headers, data: log });
      await other.context.request.put(`${api}/me/coverage`, { headers, data: { shared: true } });
      await other.context.close();
    }
    await keepAndShare(ivan.page);
    await ivan.page.getByRole("switch", { name: "Keep with my account" }).click();
    await expect(ivan.page.getByRole("switch", { name: "Share without my name" })).toBeEnabled();
    const shared = ivan.page.waitForResponse(
      (answer) => answer.request().method() === "PUT" && answer.url().endsWith("/me/coverage"),
    );
    await ivan.page.getByRole("switch", { name: "Share without my name" }).click();
    expect(await (await shared).json()).toMatchObject({ shared: true });
    await ivan.page.reload();
    await slideIsOpen(ivan.page);
    await show(ivan.page);
    await group(ivan.page).getByRole("button", { name: "What others saw" }).click();
    await expect(summary.locator("div")).toHaveText([
      "3 people share what they saw",
      "1 reviewed it",
      /^\d+\s?% of the tissue was seen by nobody$/,
      /^\d+\s?% by half of them or more$/,
    ]);
    await expectNothingSeriousInEither(ivan.page, "what others saw");
    await storePicture(ivan.page, "test-results/coverage-people.png");
    await ivan.context.close();
  });
});

test("a slide is marked as reviewed by a click, taken back, and marked again by keyboard; its case says so (CV11)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, AT_40);
  await show(page);
  const reviewed = group(page).getByRole("button", { name: "Reviewed" });
  await reviewed.click();
  await expect(reviewed).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(reviewed).toHaveAttribute("aria-pressed", "false");
  await reviewed.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Slide marked as reviewed").last()).toBeVisible();
  const { origin } = new URL(page.url());
  const made = await page.request.post(`${origin}/api/v1/cases`, {
    headers: { origin },
    data: { title: "Reviewed once", kind: "case", slides: [SLIDES.specimen] },
  });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`${origin}/cases/${id}`);
  await expect(page.getByTestId("slide-seen")).toHaveText("Reviewed");
  await expect(page.getByTestId("case-progress")).toContainText("1 of 1 seen · 1 reviewed");
  await page.request.delete(`${origin}/api/v1/cases/${id}`, { headers: { origin } });
});
