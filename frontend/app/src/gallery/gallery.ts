/** Which slides of the gallery are selected; the selection stays while slides are viewed in between. What is shown of them is in the address (listFilter.ts). */
import { createStore } from "zustand/vanilla";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";

export type Chosen = Pick<SlideSummary, "id" | "title" | "editable">;

export interface Gallery {
  /** The slides chosen for a common action, also those that are not on the screen. */
  readonly chosen: readonly Chosen[];
}

export const gallery = createStore<Gallery>(() => ({ chosen: [] }));

const facts = ({ id, title, editable }: Chosen): Chosen => ({ id, title, editable });

export function toggleChosen(slide: Chosen): void {
  gallery.setState(({ chosen }) => {
    const rest = chosen.filter(({ id }) => id !== slide.id);
    return { chosen: rest.length < chosen.length ? rest : [...chosen, facts(slide)] };
  });
}

/** Chooses these slides beside those that are chosen. */
export function chooseAlso(slides: readonly Chosen[]): void {
  gallery.setState(({ chosen }) => {
    const known = new Set(chosen.map(({ id }) => id));
    return { chosen: [...chosen, ...slides.filter(({ id }) => !known.has(id)).map(facts)] };
  });
}

export function chooseNone(): void {
  gallery.setState({ chosen: [] });
}
