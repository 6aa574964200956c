/** A receipt of compared slides (proof.md, PF13): which slide is on which side, and what each canvas shows. Import it dynamically. */
import { type ShownSlide, type Taken, takeShown } from "../view/receipt/receipt";
import { type Mode, paneName } from "./address";
import type { Comparison } from "./comparison";
import { isShown } from "./comparisonState";

/** On the page, in CSS pixels. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ComparisonReceipt extends Taken {
  readonly kind: "wavescope-comparison";
  readonly form: 1;
  readonly mode: Mode;
  readonly linked: boolean;
  /** One slide over another: where the upper one begins or ends, as a share of the width, and how much of it is mixed in; null: side by side. */
  readonly swipe: {
    readonly lower: string;
    readonly upper: string;
    readonly divider: number;
    readonly blend: number;
    /** Whether the upper slide lies to the left of the divider. */
    readonly swapped: boolean;
  } | null;
  /** Those in view, by their letters. */
  readonly panes: readonly (ShownSlide & { readonly pane: string; readonly place: Place })[];
}

/** All slides at the same moment. Null: no part of them is in view. */
export function takeComparisonReceipt(
  comparison: Comparison,
  { wavescope, account }: Pick<Taken, "wavescope" | "account">,
): Promise<ComparisonReceipt> | null {
  const { mode, links, swiped, divider, blend, swapped } = comparison.state.getState();
  const taken = { wavescope, time: new Date().toISOString(), account };
  const blended = mode === "swipe" && blend > 0 && blend < 1;
  const panes = comparison.microscopes.flatMap((microscope, number) => {
    if (!isShown({ mode, swiped }, number)) return [];
    const { left, top, width, height } = microscope.viewer.element.getBoundingClientRect();
    const pane = { pane: paneName(number), place: { left, top, width, height } };
    return takeShown(microscope, blended)?.then((shown) => ({ ...pane, ...shown })) ?? [];
  });
  if (panes.length === 0) return null;
  const [lower, upper] = swiped.map(paneName) as [string, string];
  const swipe = mode === "swipe" ? { lower, upper, divider, blend, swapped } : null;
  const how = { mode, linked: links !== null, swipe };
  return Promise.all(panes).then((made) => ({ kind: "wavescope-comparison", form: 1, ...taken, ...how, panes: made }));
}
