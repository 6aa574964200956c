// What is read by who may not look any more: the session has ended, the link was revoked, the account is disabled (access.md).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { signedIn } from "../harness/people.ts";
import { everyoneLeaves, join, person, startSession, status } from "../harness/session.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.large;
const PATH = `/slides/${SLIDE}`;

const clinic = sharedClinic(SLIDE);
everyoneLeaves();

/** Moves to a part of level 0 that was not looked at. */
const lookAt = (page: Page, step: number): Promise<void> =>
  page.evaluate((step) => window.__wavescope.viewport.fit(700 * step, 500, 900, 600), step);

test("a guest whose session has ended reads so, and not that the slide was replaced", async ({ browser }) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  const code = await startSession(ivan.page, "Ivan");
  const guest = await person(browser, { width: 1366, height: 768 });
  await join(guest, clinic.service.address, code, "Gus");
  await ivan.page.getByTestId("session-bar").getByRole("button", { name: "Leave the session" }).click();
  await ivan.page.getByRole("button", { name: "End for all" }).click();
  await status(guest, "over");
  await lookAt(guest, 3);
  const notice = guest.getByTestId("stale-notice");
  await expect(notice).toContainText("You can no longer view this slide");
  await expect(notice).toContainText("The session has ended");
  await expect(notice).not.toContainText("replaced");
  await ivan.context.close();
});

test("who holds a link that was revoked, and whose account was disabled, read that", async ({ browser }) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  await ivan.page.getByRole("button", { name: "Share slide" }).click();
  const dialog = ivan.page.getByRole("dialog");
  await dialog.getByLabel("People and groups").fill("Vera");
  await ivan.page.getByRole("option", { name: "Vera" }).click();
  await expect(dialog.getByTestId("share")).toContainText("Vera");
  await ivan.page.getByRole("button", { name: "Create link" }).click();
  const link = await ivan.page.getByLabel("Link", { exact: true }).inputValue();
  const holder = await person(browser, { width: 1366, height: 768 });
  await holder.goto(link);
  await slideIsOpen(holder);
  await ivan.page.getByTestId("link").first().getByRole("button", { name: "Revoke" }).click();
  await expect(ivan.page.getByTestId("link").first()).toContainText("ended");
  await lookAt(holder, 3);
  await expect(holder.getByTestId("stale-notice")).toContainText("The link that opened it has expired or was revoked");

  const vera = await signedIn(browser, clinic.service, "vera", PATH);
  await openSlide(vera.page, SLIDE, clinic.service.address);
  const adam = await signedIn(browser, clinic.service, "adam");
  const users = await adam.page.evaluate(async () => {
    const listed = (await (await fetch("/api/v1/users")).json()) as { users: { id: string; name: string }[] };
    const { id } = listed.users.find(({ name }) => name === "vera")!;
    const headers = { "Content-Type": "application/json" };
    return (await fetch(`/api/v1/users/${id}`, { method: "PATCH", headers, body: JSON.stringify({ disabled: true }) }))
      .status;
  });
  expect(users).toBe(200);
  await lookAt(vera.page, 3);
  const notice = vera.page.getByTestId("stale-notice");
  await expect(notice).toContainText("You are signed out");
  await expect(notice.getByRole("link", { name: "Sign in" })).toBeVisible();
  for (const { context } of [ivan, vera, adam]) await context.close();
});
