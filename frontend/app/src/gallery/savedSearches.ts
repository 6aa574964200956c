/** Searches of the gallery that are saved in this browser: words, filters, order and view, as the address has them. */
import { createStore } from "zustand/vanilla";
import { type ListFilter, parseFilter, queryOf } from "../state/listFilter";
import { facetValueTitle } from "./facetNames";
import { t } from "@wavescope/core/i18n/i18n";

const KEY = "wavescope.searches";
const MOST = 30;
const LONGEST = 4000;

/** What follows the `?` of their addresses, the latest first. */
export const savedSearches = createStore<readonly string[]>(() => stored());

/** One text for the same search. */
export function textOf(filter: ListFilter): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(queryOf({ ...filter, labels: filter.labels.toSorted() })))
    for (const value of [values].flat()) search.append(name, value);
  return String(search);
}

/** Saves a search, or removes the one that is saved. */
export function toggleSaved(text: string): void {
  const saved = savedSearches.getState();
  const next = saved.includes(text) ? saved.filter((other) => other !== text) : [text, ...saved].slice(0, MOST);
  savedSearches.setState(next, true);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    return; // a browser may forbid storage
  }
}

/** What a search is called: its words, then the values that were chosen; the values of cases are ids. */
export function nameOf({ search, labels }: ListFilter, caseTitles: ReadonlyMap<string, string>): string {
  const values = labels.map((label) => {
    const [name, value] = [label.slice(0, label.indexOf(":")), label.slice(label.indexOf(":") + 1)];
    return name === "case" || name === "within"
      ? (caseTitles.get(value) ?? t("cases.case"))
      : facetValueTitle(name, value);
  });
  return [...(search.trim() ? [`“${search.trim()}”`] : []), ...values].join(" · ");
}

function stored(): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(found)) return [];
    const texts = found.filter((one): one is string => typeof one === "string" && one.length <= LONGEST);
    return [...new Set(texts.map((text) => textOf(parseFilter(text))))].filter((text) => text !== "").slice(0, MOST);
  } catch {
    return [];
  }
}
