// The pages and dialogs of accounts and live sessions, and what is said to whom a page is not shown: nothing cut off or covered.
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { SCREENSHOTS, START, lookAt } from "../harness/looks.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedClinic, sharedService } from "../harness/sharedService.ts";
import { enter } from "../harness/people.ts";
import { everyoneLeaves, join, people, person, startSession, status } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: START });

const own = sharedService();
const clinic = sharedClinic(SLIDES.large);

everyoneLeaves();

test.beforeEach(() => test.slow(SCREENSHOTS));

async function fine(page: Page, state: string): Promise<void> {
  await test.step(state, async () => expect.soft(await lookAt(page, state), state).toEqual([]));
}

const refused = async (page: Page, path: string, state: string, at = clinic): Promise<void> => {
  await page.goto(at.service.address + path);
  await expect(page.getByTestId("refusal")).toBeVisible();
  await fine(page, state);
};

test("accounts: signing in, the account, users, the audit log, sharing and refusals", async ({ page, browser }) => {
  await refused(page, "/audit", "refused-stranger");
  await page.goto(`${clinic.service.address}/sign-in?next=%2Fpeople`);
  await enter(page, "adam", "not the password");
  await expect(page.getByRole("alert")).toBeVisible();
  await fine(page, "sign-in");
  await enter(page, "adam");
  await expect(page.getByTestId("user").first()).toBeVisible();
  await page.getByLabel("New group").fill("Class of spring, with a name that is rather long for a group");
  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await expect(page.getByTestId("group")).toBeVisible();
  await fine(page, "people");
  await page.getByRole("button", { name: "Reset the password of olga" }).click();
  await fine(page, "reset-password");
  await page.goto(`${clinic.service.address}/account`);
  await page.getByLabel("Purpose").fill("A script of the laboratory that reads all slides at night");
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByTestId("token")).toBeVisible();
  await fine(page, "account");
  await page.goto(`${clinic.service.address}/audit`);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await fine(page, "audit");
  await openSlide(page, SLIDES.large, clinic.service.address);
  await page.getByRole("button", { name: "Share slide" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByLabel("Link", { exact: true })).toBeVisible(); // others that have ended are listed, too
  await expect(page.getByTestId("link").first()).toBeVisible();
  await fine(page, "share");
  await page.goto(clinic.service.address);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await fine(page, "account-menu");

  const { id } = await page.evaluate(newCase, SLIDES.large);
  await page.goto(`${clinic.service.address}/cases/${id}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByTestId("shares")).toBeVisible();
  await fine(page, "share-case");

  const vera = await person(browser, START, { reducedMotion: "reduce" });
  await vera.goto(`${clinic.service.address}/sign-in`);
  await enter(vera, "vera");
  await expect(vera.getByTestId("empty-gallery")).toBeVisible();
  await fine(vera, "gallery-viewer");
  await refused(vera, "/trash", "refused-viewer");
  await refused(vera, "/tours/none", "refused-tour");
});

/** A case with one slide, made by who is signed in. Runs in the page. */
async function newCase(slide: string): Promise<{ id: string }> {
  const body = JSON.stringify({ title: "Colon, teaching", kind: "case", slides: [slide] });
  const headers = { "Content-Type": "application/json" };
  return (await (await fetch("/api/v1/cases", { method: "POST", headers, body })).json()) as { id: string };
}

test("live sessions: starting, inviting, joining, taking part, recordings", async ({ page, browser }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.getByRole("button", { name: "Start live session" }).first().click();
  await expect(page.getByRole("dialog", { name: "Start live session" })).toBeVisible();
  await fine(page, "session-start");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const code = await startSession(page, "Ada", { record: true });
  await status(page, "presenting");
  const guest = await person(browser, START, { reducedMotion: "reduce" });
  await guest.goto(`${own.service.address}/join/${code}`);
  await expect(guest.getByTestId("recorded-notice")).toBeVisible();
  await fine(guest, "join-session");
  await join(guest, own.service.address, code, "Benedikta-Maria Longname");
  await people(page);
  await page.getByRole("textbox", { name: "A note on this view" }).fill("A note");
  await page.getByRole("button", { name: "Add note" }).click();
  await fine(page, "session-host");
  await fine(guest, "session-guest");
  await page.getByRole("button", { name: /^More actions for Benedikta/ }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await fine(page, "session-member");
  await page.keyboard.press("Escape");
  await page.getByTestId("session-status").getByRole("button", { name: "Pause" }).click();
  await status(guest, "paused");
  await fine(guest, "session-paused");
  await page.getByTestId("session-status").getByRole("button", { name: "Resume" }).click();
  await guest.keyboard.press("u");
  await status(guest, "free");
  await fine(guest, "session-free");
  await page.getByRole("button", { name: "Invite to this session" }).click();
  await expect(page.getByRole("dialog", { name: "Invite to this session" })).toBeVisible();
  await fine(page, "session-invite");
  await page.keyboard.press("Escape");
  await guest.goto(own.service.address + new URL(guest.url()).search);
  await expect(guest.getByTestId("session-bar")).toBeVisible();
  await fine(guest, "session-gallery");
  await page.getByRole("button", { name: "Leave the session" }).click();
  await expect(page.getByRole("button", { name: "End for all" })).toBeVisible();
  await fine(page, "session-leave");
  await page.getByRole("button", { name: "End for all" }).click();
  await status(guest, "over");
  await fine(guest, "session-over");
  await expect(page.locator("[data-panel=session]").getByRole("link", { name: /^Watch/ })).toBeVisible();
  await fine(page, "recordings");
  await page
    .locator("[data-panel=session]")
    .getByRole("link", { name: /^Watch/ })
    .click();
  await expect(page.getByTestId("replay-bar")).toBeVisible();
  await slideIsOpen(page);
  await fine(page, "recording");
  await page.getByRole("button", { name: "More actions for this recording" }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await fine(page, "recording-menu");
});

test("pages that are not there", async ({ page }) => {
  const compare = `/compare?slide=${SLIDES.specimen}&slide=none`;
  for (const [path, state] of [
    ["/nowhere", "no-page"],
    ["/slides/none", "no-slide"],
    ["/recordings/none", "no-recording"],
    [compare, "no-pair"],
  ] as const)
    await refused(page, path, state, own);
});
