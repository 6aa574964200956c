/** What the catalog can be narrowed down by (wire/catalog.md, WI39). */
import { getJson } from "../http/api";
import { asArray, asObject, text, whole } from "../http/shape";

export interface FacetValue {
  readonly value: string;
  readonly title: string;
  readonly count: number;
}

export interface Facet {
  readonly name: string;
  readonly values: readonly FacetValue[];
}

/** A choice, as the service takes it. */
export const labelOf = (name: string, value: string): string => `${name}:${value}`;

export async function listFacets(search: string, labels: readonly string[], signal?: AbortSignal): Promise<Facet[]> {
  const query = new URLSearchParams(labels.map((label) => ["label", label]));
  if (search) query.set("search", search);
  return parseFacets(await getJson(`/facets?${query}`, signal));
}

export function parseFacets(value: unknown): Facet[] {
  return asArray(asObject(value, "facets").facets, "facets").map((one) => {
    const from = asObject(one, "facet");
    return { name: text(from, "name"), values: asArray(from.values, "values").map(parseValue) };
  });
}

function parseValue(value: unknown): FacetValue {
  const from = asObject(value, "value");
  return { value: text(from, "value"), title: text(from, "title"), count: whole(from, "count") };
}
