/** What is counted and how: presets, and the setup that this browser remembers (annotations.md, AN37). */
import type { FieldSize } from "@wavescope/viewer/annotate/count/fields";
import { t } from "@wavescope/core/i18n/i18n";

/** Where points are counted: on the whole slide, in the view, in what is selected, or in the counting fields. */
export const SCOPES = ["slide", "view", "selection", "fields"] as const;
export type Scope = (typeof SCOPES)[number];

export interface Setup {
  readonly name: string;
  /** The classes of the keys 1 to 9. */
  readonly classes: readonly string[];
  readonly size: FieldSize;
  readonly scope: Scope;
  /** Whether the share of the first class in the first two is shown. */
  readonly index: boolean;
}

export const MAX_CLASSES = 9; // keys
const MAX_SAVED = 50; // presets
const MAX_NAME = 200; // characters, as of classes and names (AN3)
/** Bounds of what is entered. */
export const BOUNDS = {
  magnification: { min: 1, max: 200 },
  fieldNumber: { min: 5, max: 40 },
  mm2: { min: 0.001, max: 100 },
};

const HPF: FieldSize = { kind: "objective", magnification: 40, fieldNumber: 22 };

/** The presets that are always there. Class names are QuPath's where it has one. */
export const BUILT_IN: readonly Setup[] = [
  { name: t("counting.presetMitoses"), classes: [t("counting.mitosis")], size: HPF, scope: "fields", index: false },
  {
    name: t("counting.presetKi67"),
    classes: [t("counting.positive"), t("counting.negative")],
    size: HPF,
    scope: "slide",
    index: true,
  },
  {
    name: t("counting.presetInflammation"),
    classes: [
      t("counting.neutrophil"),
      t("counting.eosinophil"),
      t("counting.lymphocyte"),
      t("counting.plasmaCell"),
      t("counting.macrophage"),
    ],
    size: HPF,
    scope: "fields",
    index: false,
  },
];

export interface Remembered {
  readonly current: Setup;
  readonly saved: readonly Setup[];
}

export const FIRST: Remembered = { current: BUILT_IN[0]!, saved: [] };

/** What a browser has stored; where it is damaged, as if nothing were stored. */
export function parseRemembered(text: string | null): Remembered {
  try {
    const { current, saved } = JSON.parse(text ?? "{}") as Record<string, unknown>;
    const all = Array.isArray(saved) ? saved.slice(0, MAX_SAVED).flatMap((one) => setupOf(one) ?? []) : [];
    return { current: setupOf(current) ?? FIRST.current, saved: all };
  } catch {
    return FIRST;
  }
}

/** The setup saved under its name, in place of one that has it. */
export function withSaved({ saved }: Remembered, setup: Setup): Remembered {
  const others = saved.filter(({ name }) => name !== setup.name);
  return { current: setup, saved: [...others, setup].slice(-MAX_SAVED) };
}

function setupOf(value: unknown): Setup | null {
  const { name, classes, size, scope, index } = (value ?? {}) as Partial<Record<keyof Setup, unknown>>;
  const isText = (one: unknown): one is string => typeof one === "string" && one !== "" && one.length <= MAX_NAME;
  const known = SCOPES.find((one) => one === scope);
  const sized = sizeOf(size);
  if (!isText(name) || !Array.isArray(classes) || !classes.every(isText) || !known || !sized) return null;
  return {
    name,
    classes: [...new Set(classes)].slice(0, MAX_CLASSES),
    size: sized,
    scope: known,
    index: index === true,
  };
}

function sizeOf(value: unknown): FieldSize | null {
  const { kind, magnification, fieldNumber, mm2 } = (value ?? {}) as Record<string, unknown>;
  if (kind === "area") return isWithin(mm2, BOUNDS.mm2) ? { kind, mm2 } : null;
  return kind === "objective" &&
    isWithin(magnification, BOUNDS.magnification) &&
    isWithin(fieldNumber, BOUNDS.fieldNumber)
    ? { kind, magnification, fieldNumber }
    : null;
}

export function isWithin(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): value is number {
  return typeof value === "number" && value >= min && value <= max;
}
