/** Sharing of slides and cases, and links to them (access.md, section 5). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type ShareKind = Wire.LinkView["scope"];
export type Right = Wire.NamedShare["right"];
export type Share = Fixed<Wire.NamedShare>;
export type Sharing = Fixed<Wire.SharingView>;
export type ShareLink = Fixed<Wire.LinkView>;

export async function readSharing(kind: ShareKind, id: string, signal?: AbortSignal): Promise<Sharing> {
  return kind === "slide"
    ? call("GET /slides/{slide_id}/sharing", { path: { slide_id: id }, signal })
    : call("GET /cases/{case_id}/sharing", { path: { case_id: id }, signal });
}

/** `owner`: the id of another owner, whom only an admin may name. */
export async function writeSharing(kind: ShareKind, id: string, sharing: Sharing, owner?: string): Promise<Sharing> {
  const shares = sharing.shares.map((share) => ({ kind: share.kind, id: share.id, right: share.right }));
  const body = { public: sharing.public, shares, ...(owner === undefined ? {} : { owner }) };
  return kind === "slide"
    ? call("PUT /slides/{slide_id}/sharing", { path: { slide_id: id }, body })
    : call("PUT /cases/{case_id}/sharing", { path: { case_id: id }, body });
}

export async function listLinks(kind: ShareKind, id: string, signal?: AbortSignal): Promise<readonly ShareLink[]> {
  const { links } = await (kind === "slide"
    ? call("GET /slides/{slide_id}/links", { path: { slide_id: id }, signal })
    : call("GET /cases/{case_id}/links", { path: { case_id: id }, signal }));
  return links;
}

/** A new link's token, which is shown this once. */
export async function createLink(
  kind: ShareKind,
  id: string,
  link: { right: Right; title: string; seconds: number | null },
): Promise<string> {
  const { token } = await (kind === "slide"
    ? call("POST /slides/{slide_id}/links", { path: { slide_id: id }, body: link })
    : call("POST /cases/{case_id}/links", { path: { case_id: id }, body: link }));
  return token;
}

export async function revokeLink(id: string): Promise<void> {
  await call("DELETE /links/{link_id}", { path: { link_id: id } });
}

/** Puts a link's token out of reach of scripts and gives what it leads to. */
export async function openLink(token: string): Promise<{ scope: ShareKind; target: string }> {
  return call("POST /links/open", { body: { token } });
}
