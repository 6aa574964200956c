/** What the gallery is narrowed down to and which slides are chosen: kept while slides are looked at in between. */
import { createStore } from "zustand/vanilla";

export interface Gallery {
  readonly search: string;
  /** Choices among the facets, `NAME:VALUE`. */
  readonly labels: readonly string[];
  /** Ids of the slides chosen for a common action. */
  readonly chosen: readonly string[];
}

export const gallery = createStore<Gallery>(() => ({ search: "", labels: [], chosen: [] }));

export function searchFor(search: string): void {
  gallery.setState({ search });
}

export function toggleLabel(label: string): void {
  gallery.setState(({ labels }) => ({ labels: toggled(labels, label) }));
}

export function showAll(): void {
  gallery.setState({ search: "", labels: [] });
}

export function toggleChosen(id: string): void {
  gallery.setState(({ chosen }) => ({ chosen: toggled(chosen, id) }));
}

export function chooseNone(): void {
  gallery.setState({ chosen: [] });
}

function toggled(list: readonly string[], one: string): string[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
