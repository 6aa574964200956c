/** Sharing of slides and cases, and links to them (access.md, section 5). */
import { getJson, part, sendJson } from "../http/api";
import { type Person, parsePerson } from "./usersClient";
import { asArray, asObject, text, textOrNull } from "../http/shape";

export type Scope = "slide" | "case";
export type Right = "view" | "annotate";

export interface Share {
  readonly kind: "user" | "group";
  readonly id: string;
  readonly title: string;
  readonly right: Right;
}

export interface Sharing {
  readonly owner: Person | null;
  readonly public: boolean;
  readonly shares: readonly Share[];
}

export interface ShareLink {
  readonly id: string;
  readonly title: string;
  readonly right: Right;
  readonly expires: string | null;
  readonly used: string | null;
  /** It has ended or was taken back. */
  readonly over: boolean;
}

const rightOf = (value: string): Right => (value === "annotate" ? "annotate" : "view");
const url = (scope: Scope, id: string): string => `/${scope}s/${part(id)}`;

function parseShare(value: unknown): Share {
  const from = asObject(value, "share");
  const kind = text(from, "kind") === "group" ? "group" : "user";
  return { kind, id: text(from, "id"), title: text(from, "title"), right: rightOf(text(from, "right")) };
}

function parseSharing(value: unknown): Sharing {
  const from = asObject(value, "sharing");
  const shares = asArray(from.shares, "shares").map(parseShare);
  return { owner: from.owner === null ? null : parsePerson(from.owner), public: from.public === true, shares };
}

function parseLink(value: unknown): ShareLink {
  const from = asObject(value, "link");
  const times = { expires: textOrNull(from, "expires"), used: textOrNull(from, "used") };
  return {
    id: text(from, "id"),
    title: text(from, "title"),
    right: rightOf(text(from, "right")),
    ...times,
    over: from.over === true,
  };
}

export async function readSharing(scope: Scope, id: string, signal?: AbortSignal): Promise<Sharing> {
  return parseSharing(await getJson(`${url(scope, id)}/sharing`, signal));
}

export async function writeSharing(scope: Scope, id: string, sharing: Sharing): Promise<Sharing> {
  const shares = sharing.shares.map((one) => ({ kind: one.kind, id: one.id, right: one.right }));
  return parseSharing(await sendJson("PUT", `${url(scope, id)}/sharing`, { public: sharing.public, shares }));
}

export async function listLinks(scope: Scope, id: string, signal?: AbortSignal): Promise<ShareLink[]> {
  return asArray(asObject(await getJson(`${url(scope, id)}/links`, signal), "links").links, "links").map(parseLink);
}

/** A new link's token, which is told this once. */
export async function createLink(
  scope: Scope,
  id: string,
  link: { right: Right; title: string; seconds: number | null },
): Promise<string> {
  return text(asObject(await sendJson("POST", `${url(scope, id)}/links`, link), "link"), "token");
}

export async function revokeLink(id: string): Promise<void> {
  await sendJson("DELETE", `/links/${part(id)}`);
}

/** Keeps a link's token out of reach of scripts and tells where it leads. */
export async function openLink(token: string): Promise<{ scope: Scope; target: string }> {
  const from = asObject(await sendJson("POST", "/links/open", { token }), "link");
  return { scope: text(from, "scope") === "case" ? "case" : "slide", target: text(from, "target") };
}
