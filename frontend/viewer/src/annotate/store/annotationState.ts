/** What is shown of the annotations of a slide, and how: plain state. */
import type { Kind } from "@wavescope/core/geometry/shape";
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";
import type { SaveState } from "./autosave";
import type { FieldSize } from "../count/fields";
import type { Draft } from "../draw/drawing";
import type { LayerStyles } from "./layers";

/**
 * A kind is drawn; the brush paints an area and the wand finds one (AN39, AN40); "count" makes a point of a class with each click, "field" a
 * counting field (AN32, AN33).
 */
export type Tool = Kind | "brush" | "wand" | "count" | "field";

export interface AnnotationState {
  /** What a pointer draws or counts; null: the hand selects and reshapes. */
  readonly tool: Tool | null;
  /** Whether the tool stays after a shape is done. */
  readonly keepTool: boolean;
  readonly draft: Draft | null;
  readonly brush: Brush;
  /** How much a pixel may differ from the colour that the wand was put on: 0 to 255. */
  readonly tolerance: number;
  readonly selected: readonly string[];
  /** Pointed out to the viewer, as by a tour: visible even where everything else is hidden. */
  readonly pointed: readonly string[];
  readonly classes: ReadonlyMap<string, Color>;
  /** What new objects become; empty: no class. */
  readonly currentClass: string;
  /** What is counted with each click. */
  readonly countedClass: string;
  /** The counting fields to be placed. */
  readonly fieldSize: FieldSize;
  readonly hiddenClasses: ReadonlySet<string>;
  /** How layers are shown that are not plain (AN53). */
  readonly layers: LayerStyles;
  readonly visible: boolean;
  readonly labels: boolean;
  /** Whose colours annotations have: those of their classes, or of their authors (AN50). */
  readonly colorBy: "class" | "author";
  readonly onlyThisPlane: boolean;
  /** Whether who sits here may annotate; else they measure, and nothing of it is saved (AN23). */
  readonly editable: boolean;
  /** Objects that live in this page only. */
  readonly local: number;
  readonly save: SaveState;
  /** Why it is not saved, or not loaded. */
  readonly reason: string;
  readonly count: number;
  /** Grows with every change of what is shown. */
  readonly version: number;
  /** Grows with every answer to what was sent: it says whose objects are. */
  readonly responses: number;
  /** The newest sequence of the slide's comments. */
  readonly comments: number;
  readonly notice: string | null;
  /** A text without words yet: they are asked for. */
  readonly untitledTextId: string | null;
  /** What is typed about an object and not written yet; the picture shows it, and it stays when someone else deletes the object. */
  readonly typed: Typed | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface Brush {
  /** Its diameter in CSS pixels. */
  readonly width: number;
  /** Whether it takes away what it touches. */
  readonly wipes: boolean;
}

export interface Typed {
  readonly id: string;
  /** The object as it was when typing began. */
  readonly content: Content;
  readonly name: string;
  readonly text: string;
}

export const START: AnnotationState = {
  tool: null,
  keepTool: false,
  draft: null,
  brush: { width: 40, wipes: false },
  tolerance: 24,
  selected: [],
  pointed: [],
  classes: new Map(),
  currentClass: "",
  countedClass: "",
  fieldSize: { kind: "objective", magnification: 40, fieldNumber: 22 },
  hiddenClasses: new Set(),
  layers: new Map(),
  visible: true,
  labels: false,
  colorBy: "class",
  onlyThisPlane: false,
  editable: true,
  local: 0,
  save: "loading",
  reason: "",
  count: 0,
  version: 0,
  responses: 0,
  comments: 0,
  notice: null,
  untitledTextId: null,
  typed: null,
  canUndo: false,
  canRedo: false,
};
