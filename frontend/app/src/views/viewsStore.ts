/** The page of views of the user of this browser (PG72, PG73): in IndexedDB for an account, in memory for a visitor whom nobody knows. */
import { createStore } from "zustand/vanilla";
import { readViews, writeViews } from "@wavescope/core/wire/stored/viewsDatabase";
import { FIRST_LAYOUT, type Item, type Layout, layoutOf } from "./sheets";

interface Views {
  readonly items: readonly Item[];
  readonly layout: Layout;
  /** Whose page it is; null until that is known, and for visitors. */
  readonly principal: string | null;
}

export const views = createStore<Views>(() => ({ items: [], layout: FIRST_LAYOUT, principal: null }));

/** Reads the page of this user; of another user nothing stays. */
export async function openViews(principal: string | null): Promise<void> {
  if (principal === null) return views.setState({ items: [], layout: FIRST_LAYOUT, principal });
  const stored = (await attempt(readViews(principal))) as
    | { items: readonly Item[]; layout: unknown }
    | null
    | undefined;
  views.setState({ items: stored?.items ?? [], layout: layoutOf(stored?.layout), principal });
}

export async function changeViews(changes: Partial<Pick<Views, "items" | "layout">>): Promise<void> {
  views.setState(changes);
  const { items, layout, principal } = views.getState();
  if (principal === null) return;
  await attempt(writeViews(principal, { items, layout }));
}

/** Browsers may forbid storage: then the page lives as long as its tab. */
const attempt = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);
