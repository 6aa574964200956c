/** The order of a case's slides: pure. */

/** The list with the item at `from` put at `to`. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = list.filter((_, place) => place !== from);
  const target = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, target), list[from], ...rest.slice(target)];
}

/** The item `step` places after the one of this id, null beyond the ends or for an id that is not there. */
export function neighbour<Item extends { readonly id: string }>(list: readonly Item[], id: string, step: number): Item | null {
  const place = list.findIndex((one) => one.id === id);
  return place < 0 ? null : (list[place + step] ?? null);
}
