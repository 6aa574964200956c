/** The layers of a slide's annotations (annotations.md, AN52, AN53): one for each import, one for what each author drew. Pure. */
import type { Stored } from "@wavescope/core/wire/annotations/annotations";

/** Where an annotation comes from. */
export type Origin = Pick<Stored, "author" | "imported" | "created">;

/** Names a layer for as long as it has annotations. */
export type LayerKey = string;

/** The layer of what lives in this page only. */
export const LOCAL_LAYER: LayerKey = "[]";

export interface LayerStyle {
  readonly hidden: boolean;
  readonly locked: boolean;
  /** Above 0, at most 1. */
  readonly opacity: number;
}

export const PLAIN_STYLE: LayerStyle = { hidden: false, locked: false, opacity: 1 };
export const LEAST_OPACITY = 0.1;

/** Of the layers that are not plain. */
export type LayerStyles = ReadonlyMap<LayerKey, LayerStyle>;

export interface Layer {
  readonly key: LayerKey;
  /** Null: of this page only. */
  readonly author: string | null;
  /** The name of the document; empty: drawn. */
  readonly imported: string;
  /** When it was imported; empty: drawn. */
  readonly created: string;
  readonly count: number;
}

export function keyOf({ author, imported, created }: Origin): LayerKey {
  return JSON.stringify(imported ? [author, imported, created] : [author]);
}

/** The drawn layers by author, then the imports, the first one first. */
export function layersOf(counts: ReadonlyMap<LayerKey, number>): Layer[] {
  const layers = [...counts].map(([key, count]): Layer => {
    const [author = null, imported = "", created = ""] = JSON.parse(key) as string[];
    return { key, author, imported, created, count };
  });
  const byAuthor = (a: Layer, b: Layer): number => (a.author ?? "").localeCompare(b.author ?? "");
  return layers.sort((a, b) => a.created.localeCompare(b.created) || byAuthor(a, b));
}

/** The styles with some of one layer changed. */
export function styled(styles: LayerStyles, key: LayerKey, change: Partial<LayerStyle>): LayerStyles {
  const style = { ...(styles.get(key) ?? PLAIN_STYLE), ...change };
  const others = [...styles].filter(([other]) => other !== key);
  const isPlain = !style.hidden && !style.locked && style.opacity === 1;
  return new Map(isPlain ? others : [...others, [key, style]]);
}
