/** Users and groups (access.md, AC36 and AC37). */
import { type Ended, type Role, parseEnded, roleOf } from "./accountClient";
import { getJson, part, sendJson } from "../http/api";
import { asArray, asObject, text } from "../http/shape";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly title: string;
}

export interface User extends Person {
  readonly role: Role;
  readonly disabled: boolean;
  /** Signs in at the provider. */
  readonly external: boolean;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
}

export function parsePerson(value: unknown): Person {
  const from = asObject(value, "person");
  return { id: text(from, "id"), name: text(from, "name"), title: text(from, "title") };
}

function parseUser(value: unknown): User {
  const from = asObject(value, "user");
  return {
    ...parsePerson(value),
    role: roleOf(text(from, "role")),
    disabled: from.disabled === true,
    external: from.external === true,
  };
}

function parseGroup(value: unknown): Group {
  const from = asObject(value, "group");
  const members = asArray(from.members, "members").map(String);
  return { id: text(from, "id"), name: text(from, "name"), members };
}

export async function findPeople(search: string, signal?: AbortSignal): Promise<{ users: Person[]; groups: Person[] }> {
  const from = asObject(await getJson(`/people?${new URLSearchParams({ search })}`, signal), "people");
  return {
    users: asArray(from.users, "users").map(parsePerson),
    groups: asArray(from.groups, "groups").map(parsePerson),
  };
}

export async function listUsers(signal?: AbortSignal): Promise<User[]> {
  return asArray(asObject(await getJson("/users", signal), "users").users, "users").map(parseUser);
}

export async function createUser(user: { name: string; title: string; role: Role; password: string }): Promise<void> {
  await sendJson("POST", "/users", user);
}

export async function changeUser(id: string, change: { role?: Role; disabled?: boolean }): Promise<void> {
  await sendJson("PATCH", `/users/${part(id)}`, change);
}

export async function resetPassword(id: string, password: string, keepTokens: boolean): Promise<Ended> {
  return parseEnded(
    asObject(await sendJson("PATCH", `/users/${part(id)}`, { password, keep_tokens: keepTokens }), "user").ended,
  );
}

export async function listGroups(signal?: AbortSignal): Promise<Group[]> {
  return asArray(asObject(await getJson("/groups", signal), "groups").groups, "groups").map(parseGroup);
}

export async function createGroup(name: string): Promise<void> {
  await sendJson("POST", "/groups", { name });
}

export async function setMembers(id: string, members: readonly string[]): Promise<void> {
  await sendJson("PATCH", `/groups/${part(id)}`, { members });
}

export async function deleteGroup(id: string): Promise<void> {
  await sendJson("DELETE", `/groups/${part(id)}`);
}
