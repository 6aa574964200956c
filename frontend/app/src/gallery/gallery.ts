/** Which slides of the gallery are selected; the selection stays while slides are viewed in between. What is shown of them is in the address (listFilter.ts). */
import { createStore } from "zustand/vanilla";

export interface Gallery {
  /** Ids of the slides chosen for a common action. */
  readonly chosen: readonly string[];
}

export const gallery = createStore<Gallery>(() => ({ chosen: [] }));

export function toggleChosen(id: string): void {
  gallery.setState(({ chosen }) => ({
    chosen: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id],
  }));
}

export function chooseNone(): void {
  gallery.setState({ chosen: [] });
}
