// A service with accounts, and people in browsers of their own.
import { spawnSync } from "node:child_process";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Service, WAVESCOPE } from "./service.ts";

export const PASSWORD = "correct horse battery";
export const ROLES = {
  ivan: "instructor",
  olga: "instructor",
  vera: "viewer",
  anna: "annotator",
  adam: "admin",
} as const;
export type Name = keyof typeof ROLES;

export interface Clinic {
  readonly service: Service;
  /** Of requests by Adam. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it began, with a slide that belongs to Ivan and is shared with no one. */
  give(slide: string): Promise<void>;
}

/** A service with accounts on a store. */
export async function startClinic(store: string): Promise<Clinic> {
  const first = ["user", "add", "adam", "--title", "Adam", "--role", ROLES.adam, "--store", store];
  const added = spawnSync(WAVESCOPE, first, { input: `${PASSWORD}\n`, encoding: "utf8" });
  if (added.status !== 0) throw new Error(added.stderr);
  const service = await Service.start(store, { env: { WAVESCOPE_ACCESS: "accounts" } });
  const common = { origin: service.address, "content-type": "application/json" };
  const entered = await fetch(`${service.address}/api/v1/sign-in`, {
    method: "POST",
    headers: common,
    body: JSON.stringify({ name: "adam", password: PASSWORD }),
  });
  const headers = { ...common, cookie: entered.headers.getSetCookie()[0]!.split(";")[0]! };
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${service.address}/api/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  for (const [name, role] of Object.entries(ROLES)) {
    if (name === "adam") continue;
    const title = name[0]!.toUpperCase() + name.slice(1);
    await send("POST", "users", { name, title, role, password: PASSWORD });
  }
  const { slides } = await send<{ slides: { id: string }[] }>("GET", "slides?per_page=200");
  const give = async (slide: string): Promise<void> => {
    const { users } = await send<{ users: { id: string; name: string }[] }>("GET", "users");
    const id = (wanted: string): string => users.find(({ name }) => name === wanted)!.id;
    for (const [name, role] of Object.entries(ROLES))
      if (name !== "adam") await send("PATCH", `users/${id(name)}`, { role, disabled: false });
    for (const { id: group } of (await send<{ groups: { id: string }[] }>("GET", "groups")).groups)
      await send("DELETE", `groups/${group}`);
    for (const { id: token } of (await send<{ tokens: { id: string }[] }>("GET", "account/tokens")).tokens)
      await send("DELETE", `account/tokens/${token}`);
    for (const one of slides) {
      const { owner } = await send<{ owner: object | null }>("GET", `slides/${one.id}/sharing`);
      const belongs = one.id === slide ? id("ivan") : owner && id("adam"); // what belongs to someone belongs to the admins no more
      await send("PUT", `slides/${one.id}/sharing`, { public: false, shares: [], owner: belongs });
      const { links } = await send<{ links: { id: string }[] }>("GET", `slides/${one.id}/links`);
      for (const link of links) await send("DELETE", `links/${link.id}`);
    }
  };
  return { service, headers, give };
}

/** A browser window of one user, who has signed in: by hand is for the tests of signing in. */
export async function signedIn(
  browser: Browser,
  service: Service,
  name: Name,
  at = "/",
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const headers = { origin: service.address };
  const entered = await context.request.post(`${service.address}/api/v1/sign-in`, {
    headers,
    data: { name, password: PASSWORD },
  });
  if (!entered.ok()) throw new Error(`${name}: ${entered.status()} ${await entered.text()}`);
  const page = await context.newPage();
  await page.goto(service.address + at);
  return { context, page };
}

export async function enter(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
