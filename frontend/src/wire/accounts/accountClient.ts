/** Who one is, signing in and out, personal tokens (access.md, section 6). */
import { getJson, part, sendJson } from "../http/api";
import { renewSignIn } from "../http/renewal";
import { asArray, asObject, numberOrNull, text, textOrNull } from "../http/shape";

export const ROLES = ["viewer", "annotator", "instructor", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface AccountUser {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly role: Role;
  /** Whether it has a password here, or signs in elsewhere. */
  readonly password: boolean;
}

export interface Account {
  readonly mode: "local" | "accounts";
  readonly user: AccountUser | null;
  /** What the single sign-on is called; null without one. */
  readonly provider: string | null;
  /** Seconds after which the sign-in should be renewed. */
  readonly renewAfter: number | null;
}

export interface Token {
  readonly id: string;
  readonly title: string;
  readonly created: string;
  readonly expires: string | null;
  readonly used: string | null;
}

export function roleOf(value: string): Role {
  return ROLES.find((role) => role === value) ?? "viewer";
}

export async function readAccount(signal?: AbortSignal): Promise<Account> {
  const from = asObject(await getJson("/account", signal), "account");
  const user = from.user === null ? null : asObject(from.user, "user");
  return {
    mode: text(from, "mode") === "accounts" ? "accounts" : "local",
    user: user && {
      id: text(user, "id"),
      name: text(user, "name"),
      title: text(user, "title"),
      role: roleOf(text(user, "role")),
      password: user.password === true,
    },
    provider: textOrNull(from, "provider"),
    renewAfter: numberOrNull(from, "renew_after"),
  };
}

export async function signIn(name: string, password: string): Promise<void> {
  await sendJson("POST", "/sign-in", { name, password });
}

export async function signOut(): Promise<void> {
  await sendJson("POST", "/sign-out");
}

export function stayIn(): Promise<boolean> {
  return renewSignIn((input, init) => fetch(input, init));
}

/** What a new password has ended. */
export interface Ended {
  readonly signIns: number;
  readonly tokens: number;
}

export function parseEnded(value: unknown): Ended {
  const from = asObject(value, "ended");
  return { signIns: numberOrNull(from, "sign_ins") ?? 0, tokens: numberOrNull(from, "tokens") ?? 0 };
}

export async function changePassword(old: string, given: string, keepTokens: boolean): Promise<Ended> {
  return parseEnded(await sendJson("PUT", "/account/password", { old, new: given, keep_tokens: keepTokens }));
}

function parseToken(value: unknown): Token {
  const from = asObject(value, "token");
  return {
    id: text(from, "id"),
    title: text(from, "title"),
    created: text(from, "created"),
    expires: textOrNull(from, "expires"),
    used: textOrNull(from, "used"),
  };
}

export async function listTokens(signal?: AbortSignal): Promise<Token[]> {
  return asArray(asObject(await getJson("/account/tokens", signal), "tokens").tokens, "tokens").map(parseToken);
}

/** A new token; its secret is told this once. */
export async function createToken(title: string, days: number | null): Promise<string> {
  return text(asObject(await sendJson("POST", "/account/tokens", { title, days }), "token"), "token");
}

export async function revokeToken(id: string): Promise<void> {
  await sendJson("DELETE", `/account/tokens/${part(id)}`);
}
