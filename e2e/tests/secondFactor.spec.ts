// The second factor: required of an admin at the sign-in, set up by a viewer on the account page, asked for, reset (access.md, section 10).
import { createHmac } from "node:crypto";
import { spawnSync } from "node:child_process";
import type { Page, TestInfo } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { storePicture } from "../harness/looks.ts";
import { PASSWORD, enter } from "../harness/people.ts";
import { SCREENS, expectFitsScreens } from "../harness/screens.ts";
import { Service, WAVESCOPE, removeFolder, temporaryFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const PHONE = { width: 390, height: 844 };
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PEOPLE = { adam: "admin", vera: "viewer" } as const;

let service: Service;
test.beforeAll(async () => {
  const store = temporaryFolder();
  for (const [name, role] of Object.entries(PEOPLE)) {
    const arguments_ = ["user", "add", name, "--title", name, "--role", role, "--store", store];
    const added = spawnSync(WAVESCOPE, arguments_, { input: `${PASSWORD}\n`, encoding: "utf8" });
    if (added.status !== 0) throw new Error(added.stderr);
  }
  service = await Service.start(store, {
    env: { WAVESCOPE_ACCESS: "accounts", WAVESCOPE_SECOND_FACTOR: "admins" },
  });
});
test.afterAll(async () => {
  await service.stop();
  removeFolder(service.store);
});

/** The code of a secret for the present step of 30 s, or one that many later (RFC 6238). */
function code(secret: string, later = 0): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const mac = createHmac("sha1", key).update(step).digest();
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** The secret that the page shows, which the code of a QR picture contains, too. */
async function shownSecret(page: Page): Promise<string> {
  await expect(page.getByRole("img", { name: "Scan this with an authenticator app" })).toBeVisible();
  return (await page.getByLabel("Key", { exact: true }).inputValue()).replaceAll(" ", "");
}

/** Axe, no overflow at usual widths, and a picture at the width of a phone. */
async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  await expectNothingSerious(page, name);
  await expectFitsScreens(page, info, name);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${name} on a phone`).toBeLessThanOrEqual(0);
  await storePicture(page, info.outputPath(`${name}-phone.png`));
  await page.setViewportSize(before);
}

/** A file with a mistake, then the corrected one (AC61). */
async function importUsers(page: Page, info: TestInfo): Promise<void> {
  const file = (text: string) => ({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const head = "name,title,role,groups\n";
  await page.getByRole("button", { name: "Import users" }).click();
  const dialog = page.getByRole("dialog");
  const input = dialog.locator("input[type=file]");
  await input.setInputFiles(file(`${head}bob,Bob Byrne,viewer,residents; teachers\nvera,Vera,boss,\n`));
  await expect(dialog.getByRole("alert")).toContainText("1 line has a problem");
  await look(page, info, "import-problem");
  await input.setInputFiles(file(`${head}bob,Bob Byrne,viewer,residents; teachers\nzoe,Zoe,,\n`));
  await dialog.getByRole("button", { name: "Create 2 accounts" }).click();
  await expect(dialog).toContainText("2 accounts created");
  await look(page, info, "imported");
  await dialog.getByRole("button", { name: "Close" }).click();
  const bob = page.getByTestId("user").filter({ hasText: "Bob Byrne" });
  await expect(bob).toContainText("First password, not changed yet");
}

test("a second factor is set up, asked for at the sign-in, and reset by an admin, who imports users (AC53 to AC61)", async ({
  browser,
}, info) => {
  const context = await browser.newContext({ viewport: SCREENS["1366x768"] });
  const page = await context.newPage();
  await page.goto(`${service.address}/sign-in?next=/account`);
  await enter(page, "vera");
  const section = page.getByTestId("second-factor");
  await expect(section).toContainText("Off");
  await look(page, info, "account");
  await section.getByRole("button", { name: "Set up two-step sign-in" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const secret = await shownSecret(page);
  await look(page, info, "set-up");
  await dialog.getByLabel("Code").fill(code(secret));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByTestId("recovery-codes").getByRole("listitem")).toHaveCount(10);
  await look(page, info, "recovery-codes");
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  await expect(section).toContainText("10 recovery codes are left.");
  await look(page, info, "account-with-factor");

  await context.clearCookies();
  await page.goto(`${service.address}/sign-in?next=/account`);
  await enter(page, "vera");
  const field = page.getByLabel("Code");
  await expect(field).toBeFocused();
  await look(page, info, "code");
  await field.fill(code(secret, -1));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("The code is wrong");
  await field.fill(code(secret, 1)); // that of this step was used
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(section).toContainText("On");

  await context.clearCookies();
  await page.goto(`${service.address}/sign-in?next=/people`);
  await enter(page, "adam");
  await expect(page.getByText("Your account needs two-step sign-in")).toBeVisible();
  await page.getByRole("button", { name: "Set up two-step sign-in" }).click();
  const required = await shownSecret(page);
  await look(page, info, "required");
  await page.getByLabel("Code").fill(code(required));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: "I have stored them" }).click();
  const row = page.getByTestId("user").filter({ hasText: "vera" });
  await expect(row).toContainText("On");
  await look(page, info, "users");
  await row.getByRole("button", { name: "Actions for vera" }).click();
  await page.getByRole("menuitem", { name: "Reset two-step sign-in" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset two-step sign-in" }).click();
  await expect(row).toContainText("Off");
  await importUsers(page, info);
  await context.close();
});
