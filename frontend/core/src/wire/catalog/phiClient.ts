/** Label, macro image and identifying texts of a slide (security.md, PR42). The service records who sees pictures and texts. */
import type * as Wire from "../generated/types";
import { API, call, part } from "../http/api";
import type { Fixed } from "../http/json";

export type PhiContents = Fixed<Wire.IdentityView>;

/** What there is to see; asking for it is not recorded. */
export async function identityOf(id: string, signal?: AbortSignal): Promise<PhiContents> {
  return call("GET /slides/{slide_id}/identity", { path: { slide_id: id }, signal });
}

export async function identityTexts(id: string): Promise<readonly (readonly [string, string])[]> {
  const { texts } = await call("GET /slides/{slide_id}/identity/texts", { path: { slide_id: id } });
  return Object.entries(texts);
}

export const identityImage = (id: string, name: string): string =>
  `${API}/slides/${part(id)}/identity/images/${part(name)}`;
