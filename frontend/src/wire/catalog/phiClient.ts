/** Label, macro image and identifying texts of a slide (security.md, PR42). Pictures and texts are looks: the service records each. */
import { API, getJson, part } from "../http/api";
import { asArray, asObject, whole } from "../http/shape";

export interface IdentityKept {
  readonly images: readonly string[];
  readonly texts: number;
}

/** What could be looked at; asking is no look. */
export async function identityOf(id: string, signal?: AbortSignal): Promise<IdentityKept> {
  const from = asObject(await getJson(`/slides/${part(id)}/identity`, signal), "identity");
  return { images: asArray(from.images, "images").map(String), texts: whole(from, "texts") };
}

export async function identityTexts(id: string): Promise<readonly (readonly [string, string])[]> {
  const from = asObject(await getJson(`/slides/${part(id)}/identity/texts`), "identity");
  return Object.entries(asObject(from.texts, "texts")).map(([name, value]) => [name, String(value)] as const);
}

export const identityImage = (id: string, name: string): string =>
  `${API}/slides/${part(id)}/identity/images/${part(name)}`;
