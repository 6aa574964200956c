/** The order of a case's slides: pure. */
import { type NamedSort, SORTS } from "@wavescope/core/wire/catalog/sort";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import type { ListFilter } from "../state/listFilter";

/** The list with the item at `from` put at `to`. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = list.filter((_, index) => index !== from);
  const target = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, target), list[from]!, ...rest.slice(target)];
}

/** The item `step` positions after the one with this id, null beyond the ends or for an unknown id. */
export function neighbour<Item extends { readonly id: string }>(
  list: readonly Item[],
  id: string,
  step: number,
): Item | null {
  const index = list.findIndex((item) => item.id === id);
  return index < 0 ? null : (list[index + step] ?? null);
}

/** Those of a case's slides that a search finds (every word, in title, id, maker or tags), in the case's own order or sorted. */
export function shownSlides<Slide extends SlideSummary>(
  slides: readonly Slide[],
  { search, sort }: Pick<ListFilter, "search" | "sort">,
): readonly Slide[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = slides.filter((slide) => words.every((word) => textOf(slide).includes(word)));
  const order = SORTS.find((named) => named === sort);
  return order ? found.toSorted(ORDERS[order]) : found;
}

const textOf = ({ id, title, vendor, tags }: SlideSummary): string =>
  [id, title, vendor ?? "", ...Object.values(tags)].join("\n").toLowerCase();

const age = ({ created }: SlideSummary): number => (created === null ? 0 : Date.parse(created));

const ORDERS: Readonly<Record<NamedSort, (a: SlideSummary, b: SlideSummary) => number>> = {
  newest: (a, b) => age(b) - age(a),
  oldest: (a, b) => age(a) - age(b),
  title: (a, b) => a.title.localeCompare(b.title),
};
