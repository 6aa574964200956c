// A service with accounts, and people in browsers of their own.
import { spawnSync } from "node:child_process";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Service, WAVESCOPE, copyStore } from "./service.ts";

export const PASSWORD = "correct horse battery";
export const ROLES = {
  ivan: "instructor",
  olga: "instructor",
  vera: "viewer",
  anna: "annotator",
  adam: "admin",
} as const;
export type Name = keyof typeof ROLES;

/** The slides of the run on a service where they belong to Ivan. */
export async function startClinic(slide: string): Promise<Service> {
  const store = copyStore(process.env.WAVESCOPE_E2E_STORE!);
  for (const [name, role] of Object.entries(ROLES)) {
    const title = name[0].toUpperCase() + name.slice(1);
    const made = spawnSync(WAVESCOPE, ["user", "add", name, "--title", title, "--role", role, "--store", store], {
      input: `${PASSWORD}\n`,
      encoding: "utf8",
    });
    if (made.status !== 0) throw new Error(made.stderr);
  }
  const service = await Service.start(store, { env: { WAVESCOPE_ACCESS: "accounts" } });
  const headers = { origin: service.address, "content-type": "application/json" };
  const entered = await fetch(`${service.address}/api/v1/sign-in`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "adam", password: PASSWORD }),
  });
  const cookie = entered.headers.getSetCookie()[0].split(";")[0];
  const people = (await (
    await fetch(`${service.address}/api/v1/people?search=ivan`, { headers: { cookie } })
  ).json()) as { users: { id: string }[] };
  const body = JSON.stringify({ public: false, shares: [], owner: people.users[0].id });
  const given = await fetch(`${service.address}/api/v1/slides/${slide}/sharing`, {
    method: "PUT",
    headers: { ...headers, cookie },
    body,
  });
  if (!given.ok) throw new Error(await given.text());
  return service;
}

/** A browser window of one user, signed in by hand. */
export async function signedIn(
  browser: Browser,
  service: Service,
  name: Name,
  at = "/",
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${service.address}/sign-in?next=${encodeURIComponent(at)}`);
  await enter(page, name);
  await page.waitForURL((url) => url.pathname === at);
  return { context, page };
}

export async function enter(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
