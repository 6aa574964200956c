// Two users and the holder of a link: sharing, revocation and a sign-in that runs out while the slide is moved (access.md).
import type { Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { address, expectExact, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { enter, signedIn } from "../harness/people.ts";
import { expectFitsScreens } from "../harness/screens.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.large;
const PATH = `/slides/${SLIDE}`;

const clinic = sharedClinic(SLIDE);
/** Moves to a part of level 0 that was not looked at. */
const lookAt = (page: Page, step: number): Promise<void> =>
  page.evaluate((step) => window.__wavescope.viewport.fit(700 * step, 500, 900, 600), step);

async function share(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Share slide" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("People and groups").fill(name);
  await page.getByRole("option", { name }).click();
  await expect(dialog.getByTestId("share")).toContainText(name);
}

/** Drags a file over the page and lets it go; whether the page kept the browser from opening it. */
const dropFile = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["nothing"], "a.svs"));
    return ["dragenter", "dragover", "drop"].every(
      (kind) => !document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })),
    );
  });

test("without accounts there is nothing to sign in to", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await expect(page.getByRole("button", { name: "Share slide" })).toHaveCount(0);
  await page.goto(address());
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Account of/ })).toHaveCount(0);
});

test("an anonymous visitor does not see a private slide, and reads how to", async ({ page }, info) => {
  await page.goto(clinic.service.address + PATH);
  await expect(page.getByRole("heading", { name: "Slide not found" })).toBeVisible();
  await page.getByRole("link", { name: "Sign in" }).click();
  await enter(page, "ivan", "not the password");
  await expect(page.getByRole("alert")).toContainText("The name or the password is wrong.");
  await expectNothingSerious(page, "sign in");
  await expectFitsScreens(page, info, "sign-in");
  await enter(page, "ivan");
  await slideIsOpen(page);
  await page.goto(clinic.service.address);
  await page.getByRole("button", { name: "Account of Ivan" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to see your slides" })).toBeVisible();
});

test("a slide is shared with a user, who looks at it until it is taken back while moving", async ({
  browser,
}, info) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  const vera = await signedIn(browser, clinic.service, "vera");
  await expect(vera.page.getByRole("heading", { name: "No slides are shared with you yet" })).toBeVisible();
  await slideIsOpen(ivan.page);
  await share(ivan.page, "Vera");
  await expectNothingSerious(ivan.page, "share dialog");
  await expectFitsScreens(ivan.page, info, "share");
  await vera.page.reload();
  await expect(vera.page.getByTestId("slide-card")).toHaveCount(1);
  await expect(vera.page.getByRole("button", { name: /^More actions for/ })).toHaveCount(0); // a viewer can neither rename nor delete
  expect(await dropFile(vera.page)).toBe(true);
  await expect(vera.page.getByText("Drop slide files to upload them")).toHaveCount(0); // nor upload
  await expect(vera.page.getByTestId("incoming")).toHaveCount(0);
  await openSlide(vera.page, SLIDE, clinic.service.address);
  await expectExact(vera.page);
  for (const name of ["Share slide", "Start live session"])
    await expect(vera.page.getByRole("button", { name })).toHaveCount(0);
  await vera.page.getByTestId("viewer").focus();
  await vera.page.keyboard.press("Shift+s");
  await vera.page.keyboard.press("?"); // answered after it
  await expect(vera.page.getByRole("dialog", { name: "Keyboard shortcuts" })).not.toContainText("Start live session");
  await expect(vera.page.getByRole("dialog")).toHaveCount(1);
  await vera.page.keyboard.press("Escape");
  await lookAt(vera.page, 1);
  await expectExact(vera.page);
  await ivan.page.getByRole("button", { name: "Remove access of Vera" }).click();
  await expect(ivan.page.getByTestId("share")).toHaveCount(0);
  const refused = vera.page.waitForResponse((answer) => answer.status() === 404 && answer.url().includes(PATH));
  await lookAt(vera.page, 3);
  await refused;
  await vera.page.reload();
  await expect(vera.page.getByRole("heading", { name: "Slide not found" })).toBeVisible();
  await Promise.all([ivan.context.close(), vera.context.close()]);
});

test("who instructs is offered to change its own slides, not others'", async ({ browser }) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  await share(ivan.page, "Olga");
  const olga = await signedIn(browser, clinic.service, "olga");
  await olga.page.getByRole("button", { name: /^More actions for/ }).click();
  await expect(olga.page.getByRole("menuitem")).toHaveText(["Add to case"]);
  await olga.page.keyboard.press("Escape");
  await olga.page.getByRole("checkbox", { name: /^Select/ }).check();
  await expect(olga.page.getByTestId("selection-bar").getByRole("button")).toHaveText([
    "Add to case",
    "Clear selection",
  ]);
  await openSlide(olga.page, SLIDE, clinic.service.address);
  await expect(olga.page.getByRole("button", { name: "Start live session" })).toBeVisible();
  await expect(olga.page.getByRole("button", { name: "Share slide" })).toHaveCount(0);
  await ivan.page.goto(clinic.service.address);
  await ivan.page
    .getByRole("button", { name: /^More actions for/ })
    .first()
    .click();
  await expect(ivan.page.getByRole("menuitem")).toHaveText(["Rename", "Tags", "Add to case", "Delete"]);
  await Promise.all([ivan.context.close(), olga.context.close()]);
});

test("a link opens a slide for anyone who has it, until it is revoked", async ({ browser }) => {
  const ivan = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(ivan.page);
  await ivan.page.getByRole("button", { name: "Share slide" }).click();
  await ivan.page.getByRole("button", { name: "Create link" }).click();
  const link = await ivan.page.getByLabel("Link", { exact: true }).inputValue();
  expect(new URL(link).search).toBe("");
  const holder = await browser.newContext();
  const page = await holder.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === PATH);
  await slideIsOpen(page);
  await lookAt(page, 2);
  await expectExact(page);
  const token = new URL(link).hash.slice(1);
  expect(asked.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token))).toEqual(
    [],
  );
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await ivan.page.getByTestId("link").first().getByRole("button", { name: "Revoke" }).click();
  await expect(ivan.page.getByTestId("link").first()).toContainText("ended");
  await page.reload();
  await expect(page.getByText("If you followed a link, it may have expired")).toBeVisible();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByTestId("link-failure")).toContainText("It has expired or was revoked");
  await Promise.all([ivan.context.close(), holder.close()]);
});

test("a sign-in that runs out while the slide is moved is renewed, and nothing is lost", async ({ browser }) => {
  const { context, page } = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(page);
  const answers: { path: string; status: number }[] = [];
  page.on("response", (answer) => answers.push({ path: new URL(answer.url()).pathname, status: answer.status() }));
  for (const step of [1, 2, 3]) {
    const cookies = (await context.cookies()).filter((cookie) => cookie.name === "wavescope_sign_in");
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, value: "wss_run-out" })));
    await lookAt(page, step);
    await expectExact(page);
  }
  expect(answers.filter(({ path, status }) => path.endsWith("/sign-in/renew") && status === 204)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(3);
  expect(new Set(answers.filter(({ status }) => status >= 400).map(({ status }) => status))).toEqual(new Set([401]));
  await context.close();
});

test("an admin makes users and groups; everybody has tokens of their own", async ({ browser }, info) => {
  const { context, page } = await signedIn(browser, clinic.service, "adam", "/people");
  await expect(page.getByTestId("user").filter({ hasText: "Adam" })).toHaveCount(1);
  const before = await page.getByTestId("user").count();
  await page.getByLabel("Sign-in name").fill("nina");
  await page.getByLabel("First password").fill("a long password");
  await page.getByRole("button", { name: "Add", exact: true }).first().click();
  await expect(page.getByTestId("user")).toHaveCount(before + 1);
  await page.getByLabel("New group").fill("Class of spring");
  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await expect(page.getByTestId("group")).toContainText("Class of spring");
  await expectNothingSerious(page, "users and groups");
  await expectFitsScreens(page, info, "people");
  await page.goto(`${clinic.service.address}/account`);
  await page.getByLabel("Purpose").fill("A script");
  await expect(page.getByLabel("View slides, cases and annotations")).toBeChecked();
  await expect(page.getByLabel("Share slides and cases")).not.toBeChecked();
  await page.getByLabel(/administrator also users/).click();
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.getByLabel("Token", { exact: true }).inputValue();
  await expectNothingSerious(page, "account");
  await expectFitsScreens(page, info, "account");
  const answer = await fetch(`${clinic.service.address}/api/v1/users`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  await expect(page.getByTestId("token")).toContainText("View slides, cases and annotations, Your account");
  const metrics = await fetch(`${clinic.service.address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(metrics.status).toBe(403); // a scope that was not chosen
  await page.getByTestId("token").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByTestId("token")).toHaveCount(0);
  expect(
    (await fetch(`${clinic.service.address}/api/v1/users`, { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(401);
  await context.close();
});

test("a new password ends other sign-ins and tokens, by choice, and says so (AC49)", async ({ browser }, info) => {
  const admin = await signedIn(browser, clinic.service, "adam", "/people");
  await admin.page.getByLabel("Sign-in name").fill("rita");
  await admin.page.getByLabel("First password").fill("a long password");
  await admin.page.getByLabel("Must be changed at the first sign-in").uncheck();
  await admin.page.getByRole("button", { name: "Add", exact: true }).first().click();
  await expect(admin.page.getByTestId("user").filter({ hasText: "rita" })).toHaveCount(1);

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${clinic.service.address}/sign-in?next=%2Faccount`);
  await enter(page, "rita", "a long password");
  await page.waitForURL((url) => url.pathname === "/account");
  await page.getByLabel("Purpose").fill("A script");
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByTestId("token")).toHaveCount(1);
  await page.getByLabel("Current password").fill("a long password");
  await page.getByLabel("New password").fill("a longer password");
  await page.getByLabel("Keep my tokens for scripts").check();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("No other sign-in or token was ended.")).toBeVisible();
  await expect(page.getByTestId("token")).toHaveCount(1);
  await expectNothingSerious(page, "password");

  await admin.page.getByRole("button", { name: "Reset the password of rita" }).click();
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("New password").fill("given by the admin");
  await expectNothingSerious(admin.page, "reset password");
  await expectFitsScreens(admin.page, info, "reset-password");
  await dialog.getByRole("button", { name: "Reset password" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Ended: 1 sign-in and 1 token.");
  await page.goto(`${clinic.service.address}/account`);
  await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  await context.close();
  await admin.context.close();
});
