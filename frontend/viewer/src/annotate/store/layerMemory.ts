/** How one user shows the layers of slides, in this browser (annotations.md, AN53): of one user at a time, of the slides changed last. */
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import { LEAST_OPACITY, type LayerStyles } from "./layers";

export interface LayerMemory {
  read(): LayerStyles;
  write(styles: LayerStyles): void;
}

const STORED = "wavescope.layers";
const MAX_SLIDES = 50;
const MAX_LAYERS = 200; // of a slide

type Entries = readonly (readonly [string, unknown])[];

/** A damaged entry is left out. Where a browser forbids storage, nothing is remembered. */
export function browserLayerMemory(slide: string): LayerMemory {
  return {
    read: () => parseStyles(slides().find(([id]) => id === slide)?.[1]),
    write: (styles) => {
      const others = slides().filter(([id]) => id !== slide);
      const entries: Entries = styles.size > 0 ? [[slide, [...styles].slice(-MAX_LAYERS)], ...others] : others;
      try {
        const stored = { owner: slideStore.owner, slides: entries.slice(0, MAX_SLIDES) };
        if (slideStore.owner !== null) localStorage.setItem(STORED, JSON.stringify(stored));
      } catch {
        return; // forbidden or full: it lasts as long as the page
      }
    },
  };
}

/** Of all slides: when the user signs out. */
export function forgetLayers(): void {
  try {
    localStorage.removeItem(STORED);
  } catch {
    return;
  }
}

export function parseStyles(value: unknown): LayerStyles {
  return new Map(
    pairsOf(value).flatMap(([key, style]) => {
      const { hidden, locked, opacity } = (style ?? {}) as Record<string, unknown>;
      if (typeof hidden !== "boolean" || typeof locked !== "boolean") return [];
      if (typeof opacity !== "number" || !(opacity >= LEAST_OPACITY && opacity <= 1)) return [];
      return [[key, { hidden, locked, opacity }] as const];
    }),
  );
}

function slides(): Entries {
  try {
    const { owner, slides } = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, unknown>;
    return owner === slideStore.owner ? pairsOf(slides) : [];
  } catch {
    return [];
  }
}

function pairsOf(value: unknown): Entries {
  if (!Array.isArray(value)) return [];
  return value.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === "string");
}
