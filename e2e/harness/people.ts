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
  const first = ["user", "add", "adam", "--title", "Adam", "--role", ROLES.adam, "--store", store];
  const added = spawnSync(WAVESCOPE, first, { input: `${PASSWORD}\n`, encoding: "utf8" });
  if (added.status !== 0) throw new Error(added.stderr);
  const service = await Service.start(store, { env: { WAVESCOPE_ACCESS: "accounts" } });
  const headers = { origin: service.address, "content-type": "application/json" };
  const entered = await fetch(`${service.address}/api/v1/sign-in`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "adam", password: PASSWORD }),
  });
  const cookie = entered.headers.getSetCookie()[0].split(";")[0];
  const send = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${service.address}/api/v1/${path}`, {
      method,
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const ids: Record<string, string> = {};
  for (const [name, role] of Object.entries(ROLES)) {
    if (name === "adam") continue;
    const title = name[0].toUpperCase() + name.slice(1);
    ids[name] = (await send("POST", "users", { name, title, role, password: PASSWORD })).id;
  }
  await send("PUT", `slides/${slide}/sharing`, { public: false, shares: [], owner: ids.ivan });
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
