/** What a list of slides is narrowed down to: it lives in the address (`?search=`, `label=`, `sort=`), so back, forward and a link to others show the same. */
import { useEffect, useMemo } from "react";
import { type Query, navigate, rememberGallery, useSearchText } from "./router";
import { type Sort, isSort } from "@wavescope/core/wire/catalog/sort";

const MAX_LABELS = 100;
const LONGEST_LABEL = 300;
const LONGEST_SEARCH = 200;
/** Marks an entry of the history as one that typing has made: more typing replaces it. */
const TYPED = "wavescope.typed";

export interface ListFilter {
  /** As it was typed. */
  readonly search: string;
  /** Choices among the facets, `NAME:VALUE`. */
  readonly labels: readonly string[];
  /** Null: the list's own order. */
  readonly sort: Sort | null;
  /** As rows with columns instead of cards. */
  readonly list?: boolean;
}

export const EVERYTHING: ListFilter = { search: "", labels: [], sort: null, list: false };

/** What an address asks for; what is out of bounds there is left out. */
export function parseFilter(text: string): ListFilter {
  const query = new URLSearchParams(text);
  const sort = query.get("sort");
  const labels = [...new Set(query.getAll("label"))].filter(
    (label) => /^[^:]+:./.test(label) && label.length <= LONGEST_LABEL,
  );
  return {
    search: (query.get("search") ?? "").slice(0, LONGEST_SEARCH),
    labels: labels.slice(0, MAX_LABELS),
    sort: isSort(sort) ? sort : null,
    list: query.get("view") === "list",
  };
}

/** How an address asks for it. */
export function queryOf({ search, labels, sort, list }: ListFilter): Query {
  return {
    ...(search && { search }),
    ...(labels.length > 0 && { label: labels }),
    ...(sort && { sort }),
    ...(list && { view: "list" }),
  };
}

export function toggleLabel(filter: ListFilter, label: string): ListFilter {
  const { labels } = filter;
  return {
    ...filter,
    labels: labels.includes(label) ? labels.filter((other) => other !== label) : [...labels, label],
  };
}

/** Shows another part of the list of this page. `typing`: an entry of the history for all that is typed in a row. */
export function narrowTo(query: Query, typing = false): void {
  if (location.pathname === "/") rememberGallery(query);
  const replace = typing && history.state === TYPED;
  navigate(location.pathname, query, { replace, state: typing ? TYPED : null });
}

/** What the list of this page is narrowed down to, and how that is changed. */
export function useListFilter() {
  const text = useSearchText();
  const filter = useMemo(() => parseFilter(text), [text]);
  useEffect(() => {
    if (location.pathname === "/") rememberGallery(queryOf(filter));
  }, [filter]);
  const narrow = (next: Partial<ListFilter>, typing = false): void => narrowTo(queryOf({ ...filter, ...next }), typing);
  return { filter, narrow };
}
