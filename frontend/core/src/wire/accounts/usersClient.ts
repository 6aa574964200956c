/** Users and groups (access.md, AC36 and AC37). */
import { type Ended, type Role, endedOf } from "./accountClient";
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type Person = Fixed<Wire.PersonView>;
/** `external`: signs in at the provider; `must_change`: the password, at the next sign-in. */
export type User = Fixed<Wire.UserView>;
export type Group = Fixed<Wire.GroupView>;

export async function findPeople(search: string, signal?: AbortSignal): Promise<Fixed<Wire.PeopleList>> {
  return call("GET /people", { query: { search }, signal });
}

export async function listUsers(signal?: AbortSignal): Promise<readonly User[]> {
  return (await call("GET /users", { signal })).users;
}

export interface NewUser {
  readonly name: string;
  readonly title: string;
  readonly role: Role;
  readonly password: string;
  /** Whether the user chooses another password at the first sign-in (AC60). */
  readonly mustChange: boolean;
}

export async function createUser({ mustChange, ...user }: NewUser): Promise<void> {
  await call("POST /users", { body: { ...user, must_change: mustChange } });
}

export interface UserChange {
  /** To sign in with. */
  readonly name?: string;
  readonly title?: string;
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly must_change?: boolean;
}

export async function changeUser(id: string, change: UserChange): Promise<void> {
  await call("PATCH /users/{user_id}", { path: { user_id: id }, body: change });
}

export async function resetPassword(
  id: string,
  password: string,
  keepTokens: boolean,
  mustChange: boolean,
): Promise<Ended> {
  const body = { password, keep_tokens: keepTokens, must_change: mustChange };
  const { ended } = await call("PATCH /users/{user_id}", { path: { user_id: id }, body });
  return endedOf(ended ?? { sign_ins: 0, tokens: 0 });
}

export type ImportPreview = Fixed<Wire.ImportPreview>;
export type ImportLine = ImportPreview["lines"][number];
export type Imported = Fixed<Wire.ImportedAccounts>;

/** What an import would create, and what is wrong in which line (AC61). */
export async function previewImport(csv: string): Promise<ImportPreview> {
  return call("POST /users/import/preview", { body: { csv } });
}

/** Creates all accounts of the file or none; the generated passwords are answered only here (AC61). */
export async function importUsers(csv: string): Promise<Imported> {
  return call("POST /users/import", { body: { csv } });
}

export async function listGroups(signal?: AbortSignal): Promise<readonly Group[]> {
  return (await call("GET /groups", { signal })).groups;
}

export async function createGroup(name: string): Promise<void> {
  await call("POST /groups", { body: { name } });
}

export async function setMembers(id: string, members: readonly string[]): Promise<void> {
  await call("PATCH /groups/{group_id}", { path: { group_id: id }, body: { members } });
}

export async function deleteGroup(id: string): Promise<void> {
  await call("DELETE /groups/{group_id}", { path: { group_id: id } });
}
