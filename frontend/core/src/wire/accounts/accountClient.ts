/** Who one is, signing in and out, personal tokens (access.md, section 6). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";
import { slideStore } from "../stored/slideStore";
import { renewSignIn } from "../http/renewal";

export type Role = Wire.AccountUser["role"];
export const ROLES: readonly Role[] = ["viewer", "annotator", "instructor", "admin"];
export type AccountUser = Fixed<Wire.AccountUser>;
export type Token = Fixed<Wire.TokenView>;
export type TokenScope = Token["scopes"][number];
export const SCOPES = ["read", "annotate", "slides", "originals", "share", "accounts", "metrics"] as const;

export interface Account {
  readonly mode: "local" | "accounts";
  readonly user: AccountUser | null;
  /** What the single sign-on is called; null without one. */
  readonly provider: string | null;
  /** Seconds after which the sign-in should be renewed. */
  readonly renewAfter: number | null;
}

/** The role of this name, as a form gives it. */
export function roleOf(name: string): Role {
  return ROLES.find((role) => role === name) ?? "viewer";
}

export async function readAccount(signal?: AbortSignal): Promise<Account> {
  const { mode, user, provider, renew_after: renewAfter } = await call("GET /account", { signal });
  return { mode, user, provider, renewAfter };
}

/** What a sign-in may need beyond name and password. */
export interface SignInSteps {
  /** Replaces a password that was given for the first sign-in (AC51). */
  readonly newPassword?: string;
  /** Of the second factor (AC54). */
  readonly code?: string;
}

/** The recovery codes, if this has turned the second factor on (AC56). */
export async function signIn(
  name: string,
  password: string,
  { newPassword, code }: SignInSteps = {},
): Promise<readonly string[] | null> {
  const body = { name, password, ...(newPassword && { new_password: newPassword }), ...(code && { code }) };
  return (await call("POST /sign-in", { body })).recovery_codes;
}

export async function signOut(): Promise<void> {
  await slideStore.signedOut(); // also where the service does not answer
  await call("POST /sign-out");
}

export function renewNow(): Promise<boolean> {
  return renewSignIn((input, init) => fetch(input, init));
}

/** What a new password has ended. */
export interface Ended {
  readonly signIns: number;
  readonly tokens: number;
}

export function endedOf({ sign_ins: signIns, tokens }: Wire.EndedView): Ended {
  return { signIns, tokens };
}

/** `code`: where there is a second factor. */
export async function changePassword(
  oldPassword: string,
  newPassword: string,
  keepTokens: boolean,
  code = "",
): Promise<Ended> {
  const body = { old: oldPassword, new: newPassword, keep_tokens: keepTokens, ...(code && { code }) };
  return endedOf(await call("PUT /account/password", { body }));
}

export async function listTokens(signal?: AbortSignal): Promise<readonly Token[]> {
  return (await call("GET /account/tokens", { signal })).tokens;
}

/** A new token; its secret is shown this once. */
export async function createToken(title: string, days: number | null, scopes: readonly TokenScope[]): Promise<string> {
  return (await call("POST /account/tokens", { body: { title, days, scopes: [...scopes] } })).token;
}

export async function revokeToken(id: string): Promise<void> {
  await call("DELETE /account/tokens/{token_id}", { path: { token_id: id } });
}
