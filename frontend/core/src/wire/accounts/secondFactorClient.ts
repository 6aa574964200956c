/** The second factor of an account (access.md, section 10). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

/** What an authenticator app needs: in base32, and for a QR code. */
export type Setup = Fixed<Wire.SetupView>;
export type RecoveryCodes = readonly string[];

export interface SecondFactor {
  readonly active: boolean;
  /** How many are not used yet. */
  readonly recoveryCodes: number;
  /** Whether the account cannot do without one. */
  readonly required: boolean;
}

/** The password, and a code where there is a second factor. */
export interface Proof {
  readonly password: string;
  readonly code: string;
}

export async function readSecondFactor(signal?: AbortSignal): Promise<SecondFactor> {
  const { active, recovery_codes: recoveryCodes, required } = await call("GET /account/second-factor", { signal });
  return { active, recoveryCodes, required };
}

/** A new secret, in use when a code of it is confirmed (AC53). */
export async function beginSecondFactor(proof: Proof): Promise<Setup> {
  return call("POST /account/second-factor", { body: bodyOf(proof) });
}

export async function confirmSecondFactor(code: string): Promise<RecoveryCodes> {
  return (await call("POST /account/second-factor/confirm", { body: { code } })).recovery_codes;
}

export async function makeRecoveryCodes(proof: Proof): Promise<RecoveryCodes> {
  return (await call("POST /account/second-factor/recovery-codes", { body: bodyOf(proof) })).recovery_codes;
}

export async function turnOffSecondFactor(proof: Proof): Promise<void> {
  await call("POST /account/second-factor/turn-off", { body: bodyOf(proof) });
}

/** A new secret for an account that cannot sign in without one (AC56). */
export async function beginRequiredSecondFactor(name: string, password: string): Promise<Setup> {
  return call("POST /sign-in/second-factor", { body: { name, password } });
}

/** Removes that of another user, as an admin (AC58). */
export async function resetSecondFactor(userId: string): Promise<void> {
  await call("DELETE /users/{user_id}/second-factor", { path: { user_id: userId } });
}

function bodyOf({ password, code }: Proof): Wire.Proof {
  return { password, ...(code && { code }) };
}
