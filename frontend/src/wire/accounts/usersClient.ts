/** Users and groups (access.md, AC36 and AC37). */
import { type Ended, type Role, endedOf } from "./accountClient";
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type Person = Fixed<Wire.PersonView>;
/** `external`: signs in at the provider. */
export type User = Fixed<Wire.UserView>;
export type Group = Fixed<Wire.GroupView>;

export async function findPeople(search: string, signal?: AbortSignal): Promise<Fixed<Wire.PeopleList>> {
  return call("GET /people", { query: { search }, signal });
}

export async function listUsers(signal?: AbortSignal): Promise<readonly User[]> {
  return (await call("GET /users", { signal })).users;
}

export async function createUser(user: { name: string; title: string; role: Role; password: string }): Promise<void> {
  await call("POST /users", { body: user });
}

export async function changeUser(id: string, change: { role?: Role; disabled?: boolean }): Promise<void> {
  await call("PATCH /users/{user_id}", { path: { user_id: id }, body: change });
}

export async function resetPassword(id: string, password: string, keepTokens: boolean): Promise<Ended> {
  const body = { password, keep_tokens: keepTokens };
  const { ended } = await call("PATCH /users/{user_id}", { path: { user_id: id }, body });
  return endedOf(ended ?? { sign_ins: 0, tokens: 0 });
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
