// Several people in one live session, each in a browser context of its own.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { slideIsOpen } from "./microscope.ts";
import { expect, test } from "./test.ts";

export type Screen = { readonly width: number; readonly height: number };

const present: BrowserContext[] = [];

/** A person at a screen of some size: nothing of another's storage or cookies. */
export async function person(browser: Browser, viewport: Screen, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport, ...options });
  present.push(context);
  return context.newPage();
}

/** After each test of the spec every person's browser is closed. */
export function everyoneLeaves(): void {
  test.afterEach(async () => {
    for (const context of present.splice(0)) await context.close();
  });
}

export interface Options {
  readonly passcode?: string;
  readonly everyoneSteers?: boolean;
  readonly record?: boolean;
}

/** Starts a session from the slide that is open; answers its code. */
export async function startSession(page: Page, name: string, options: Options = {}): Promise<string> {
  if (page.viewportSize()!.width < 576) await page.getByRole("button", { name: "Live session", exact: true }).click(); // a phone
  await page.getByRole("button", { name: "Start live session" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Start live session" });
  await dialog.getByLabel("Your name").fill(name);
  if (options.passcode) await dialog.getByLabel("Passcode").fill(options.passcode);
  if (options.everyoneSteers) await dialog.getByLabel("Everyone can navigate").check();
  if (options.record) await dialog.getByLabel("Record").check();
  await dialog.getByRole("button", { name: "Start" }).click();
  const code = (await page.getByTestId("session-code").textContent())!;
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return code;
}

/** Joins by the link, as a guest without an account; waits until the session's slide is open. */
export async function join(page: Page, at: string, code: string, name: string, passcode?: string): Promise<void> {
  await page.goto(`${at}/join/${code}`);
  await page.getByLabel("Your name").fill(name);
  if (passcode) await page.getByLabel(/^Passcode/).fill(passcode);
  await page.getByRole("button", { name: "Join" }).click();
  await slideIsOpen(page);
  await status(page, "following");
}

/** Waits until the session's line says so. */
export async function status(page: Page, kind: string): Promise<void> {
  await expect(page.getByTestId("session-status")).toHaveAttribute("data-kind", kind);
}

export interface Seen {
  readonly l0_x: number;
  readonly l0_y: number;
  readonly l0_width: number;
  readonly l0_height: number;
  readonly rotation: number;
  readonly flip: boolean;
  readonly plane: number;
}

export const seen = (page: Page): Promise<Seen> => page.evaluate(() => window.__wavescope.viewport.state());

/** How far two views are apart, in level-0 pixels: their centres, and the extent of that axis which fits both. */
export function apart(presenter: Seen, follower: Seen): number {
  const centre = (view: Seen): [number, number] => [view.l0_x + view.l0_width / 2, view.l0_y + view.l0_height / 2];
  const [a, b] = [centre(presenter), centre(follower)];
  const fit = Math.min(follower.l0_width - presenter.l0_width, follower.l0_height - presenter.l0_height);
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(fit));
}

/** The follower's view holds the presenter's, centred, as large as its screen allows: within a level-0 pixel. */
export async function expectSameView(presenter: Page, follower: Page): Promise<void> {
  await presenter.evaluate(() => window.__wavescope.idle());
  const wanted = await seen(presenter);
  await expect
    .poll(async () => apart(wanted, await seen(follower)), { message: "level-0 pixels apart" })
    .toBeLessThan(1);
  const { rotation, flip, plane } = await seen(follower);
  expect([rotation, flip, plane]).toEqual([wanted.rotation, wanted.flip, wanted.plane]);
}

/** Moves the own view, as a hand would: it is there at once. */
export async function look(
  page: Page,
  viewLink: { l0_x?: number; l0_y?: number; scale?: number; rotation?: number; flip?: boolean; plane?: number },
): Promise<void> {
  await page.evaluate((to) => window.__wavescope.viewport.show(to, true), viewLink);
}

/** Opens the panel of the session. */
export async function people(page: Page): Promise<void> {
  await expect(async () => {
    // a page that is loaded anew may open the panel by itself, and a click would close it
    if ((await page.locator("[data-panel=session]").count()) === 0) await page.getByTestId("session-people").click();
    await expect(page.getByTestId("session-members")).toBeVisible({ timeout: 5000 });
  }).toPass();
}

export const row = (page: Page, name: string) =>
  page.getByTestId("session-members").getByRole("listitem").filter({ hasText: name });

export async function fromMenu(page: Page, name: string, item: string): Promise<void> {
  await people(page);
  await row(page, name)
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}
