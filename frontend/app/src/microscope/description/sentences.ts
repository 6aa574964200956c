/** A view in words (PG106): pure functions over plain state. */
import { groupedNumber } from "@wavescope/core/geometry/figures";
import type { Size } from "@wavescope/core/geometry/pyramid";
import { t } from "@wavescope/core/i18n/i18n";
import type { Side, ViewParts } from "@wavescope/viewer/navigation/viewParts";
import { percentLabel } from "../../ui/format";

type Mpp = { readonly x: number; readonly y: number } | null;

/** How many there are of each. */
export type Counts = readonly { readonly name: string; readonly count: number }[];

export interface ViewFacts {
  /** As the status line has it. */
  readonly magnification: string;
  readonly slide: Size;
  readonly mpp: Mpp;
  /** The middle of what is seen, and its size; level-0 pixels. */
  readonly l0_x: number;
  readonly l0_y: number;
  readonly l0_width: number;
  readonly l0_height: number;
  /** Whether the whole slide is in view. */
  readonly whole: boolean;
  readonly parts: ViewParts;
  /** Degrees by which the slide is turned on the screen. */
  readonly rotation: number;
  readonly flip: boolean;
  /** Which focal plane; null: there is one. */
  readonly focus: string | null;
  /** Names of the channels shown; null: the slide has none. */
  readonly channels: readonly string[] | null;
  /** Null where the page has none. */
  readonly annotations: AnnotationsInView | null;
  /** Objects in view of each overlay that is shown. */
  readonly overlays: Counts;
  readonly fidelity: "coarse" | "sharp" | "damaged";
}

export interface AnnotationsInView {
  /** By class, the most frequent first; an empty name: none. */
  readonly classes: Counts;
  /** The nearest to the middle first. */
  readonly nearest: readonly string[];
}

/** A sentence about one matter. */
export interface Sentence {
  readonly about: string;
  readonly text: string;
  /** In the summary alone: it changes with every move, and what matters of it is said otherwise. */
  readonly summary?: true;
}

/** The whole summary, in its order. */
export function sentencesOf(facts: ViewFacts): readonly Sentence[] {
  const { magnification, parts, focus, channels, annotations, overlays, fidelity } = facts;
  return [
    { about: "magnification", text: t("description.magnification", { magnification }) },
    { about: "place", text: facts.whole ? t("description.whole") : placeText(facts) },
    ...(facts.whole ? [] : [{ about: "field", text: fieldText(facts), summary: true as const }]),
    ...(facts.whole ? [] : parts.sides.map((side) => ({ about: side, text: SIDE_TEXTS[side] }))),
    ...(parts.tissue === null ? [] : [{ about: "tissue", text: tissueText(parts.tissue) }]),
    ...(focus === null ? [] : [{ about: "focus", text: t("description.sentence", { words: focus }) }]),
    { about: "turn", text: turnText(facts) },
    ...(channels ? [{ about: "channels", text: t("description.channels", { names: channels.join(", ") }) }] : []),
    ...(annotations ? annotationSentences(annotations) : []),
    ...overlays.map(({ name, count }) => ({
      about: `overlay ${name}`,
      text: t("description.objects", { name, number: groupedNumber(count) }),
    })),
    { about: "fidelity", text: FIDELITY_TEXTS[fidelity] },
  ];
}

/** What is to be said after a move: sentences that were not so before it; before anything was said, all but those of the summary alone. */
export function changedSentences(now: readonly Sentence[], before: readonly Sentence[]): readonly string[] {
  const known = new Map(before.map(({ about, text }) => [about, text]));
  return now.filter(({ about, text, summary }) => !summary && known.get(about) !== text).map(({ text }) => text);
}

const THIRDS = [
  [t("description.upperLeft"), t("description.upperMiddle"), t("description.upperRight")],
  [t("description.middleLeft"), t("description.middle"), t("description.middleRight")],
  [t("description.lowerLeft"), t("description.lowerMiddle"), t("description.lowerRight")],
] as const;

const SIDE_TEXTS: Readonly<Record<Side, string>> = {
  left: t("description.leftEdge"),
  right: t("description.rightEdge"),
  top: t("description.upperEdge"),
  bottom: t("description.lowerEdge"),
};

const FIDELITY_TEXTS: Readonly<Record<ViewFacts["fidelity"], string>> = {
  coarse: t("description.coarse"),
  sharp: t("description.sharp"),
  damaged: t("description.damaged"),
};

function placeText({ l0_x, l0_y, slide: { width, height }, mpp }: ViewFacts): string {
  const third = (at: number, length: number): 0 | 1 | 2 =>
    Math.min(2, Math.max(0, Math.floor((3 * at) / length))) as 0 | 1 | 2;
  return t("description.place", {
    third: THIRDS[third(l0_y, height)][third(l0_x, width)],
    left: lengthText(l0_x, mpp && mpp.x),
    top: lengthText(l0_y, mpp && mpp.y),
  });
}

function fieldText({ l0_width, l0_height, mpp, parts }: ViewFacts): string {
  return t("description.field", {
    width: lengthText(l0_width, mpp && mpp.x),
    height: lengthText(l0_height, mpp && mpp.y),
    part: percentLabel(parts.slide),
  });
}

const tissueText = (part: number): string =>
  part === 0 ? t("description.noTissue") : t("description.tissue", { part: percentLabel(part) });

export function turnText({ rotation, flip }: Pick<ViewFacts, "rotation" | "flip">): string {
  const degrees = Math.round(rotation) % 360;
  if (degrees === 0) return t(flip ? "description.mirrored" : "description.upright");
  return t(flip ? "description.rotatedAndMirrored" : "description.rotated", { degrees });
}

/** Classes that are named; the rest are counted together. */
const MAX_CLASSES = 5;
/** Annotations that are named. */
export const MAX_NEAREST = 3;

function annotationSentences({ classes, nearest }: AnnotationsInView): readonly Sentence[] {
  const count = sum(classes);
  if (count === 0) return [{ about: "annotations", text: t("description.noAnnotations") }];
  const named = classes.slice(0, MAX_CLASSES).map(({ name, count }) => countText(name || NO_CLASS, count));
  const others = sum(classes.slice(MAX_CLASSES));
  const all = [...named, ...(others > 0 ? [countText(t("description.otherClasses"), others)] : [])];
  return [
    { about: "annotations", text: t("description.annotations", { count, classes: all.join(", ") }) },
    { about: "nearest", text: t("description.nearest", { names: nearest.join(", ") }), summary: true },
  ];
}

const NO_CLASS = t("description.noClass");
const sum = (counts: Counts): number => counts.reduce((all, { count }) => all + count, 0);
const countText = (name: string, count: number): string =>
  t("description.count", { name, number: groupedNumber(count) });

/** One annotation of those in view, and where it lies from the middle of what is seen, along the screen (PG110). */
export interface SteppedTo {
  readonly name: string;
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
  /** Level-0 pixels to the right and down. */
  readonly across: number;
  readonly down: number;
  /** With their units. */
  readonly measures: readonly string[];
}

export function annotationText({ name, number, count, across, down, measures }: SteppedTo, mpp: Mpp): string {
  const where = t(
    across < 0
      ? down < 0
        ? "description.leftAbove"
        : "description.leftBelow"
      : down < 0
        ? "description.rightAbove"
        : "description.rightBelow",
    {
      across: lengthText(Math.abs(across), mpp && mpp.x),
      down: lengthText(Math.abs(down), mpp && mpp.y),
    },
  );
  const text = t("description.annotation", { name, number, count, where });
  return [text, ...measures.map((words) => t("description.sentence", { words }))].join(" ");
}

/** As people say it: hundredths of a millimetre, below one whole micrometres; pixels where their size is not known. */
function lengthText(pixels: number, mpp: number | null): string {
  if (mpp === null) return t("description.pixels", { count: Math.round(pixels) });
  const length = (pixels * mpp) / 1000;
  if (Math.abs(length) < 1) return t("common.lengthUm", { length: Math.round(1000 * length) });
  return t("common.lengthMm", { length: Number(length.toFixed(2)) });
}
