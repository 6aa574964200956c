/** What the catalog can be narrowed down by (wire/catalog.md, WI39). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type FacetValue = Fixed<Wire.FacetValueView>;
export type Facet = Fixed<Wire.FacetView>;

/** A choice, as the service expects it. */
export const labelOf = (name: string, value: string): string => `${name}:${value}`;

export async function listFacets(
  search: string,
  labels: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Facet[]> {
  const query = { label: labels, search: search || undefined };
  return (await call("GET /facets", { query, signal })).facets;
}
