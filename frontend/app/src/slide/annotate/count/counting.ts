/** The counting of this page: its setup, and what begins and ends it. */
import { createStore } from "zustand/vanilla";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { fieldAt, middleOf, nextField } from "@wavescope/viewer/annotate/count/fields";
import { centreOn } from "@wavescope/viewer/navigation/moves";
import { FIRST, type Remembered, type Setup, parseRemembered } from "./setup";

const STORED = "wavescope.counting";

interface Counting extends Remembered {
  /** Whether the panel shows counting instead of the list of annotations. */
  readonly shown: boolean;
}

export const counting = createStore<Counting>(() => ({ ...read(), shown: false }));

export function remember(remembered: Partial<Remembered>): void {
  counting.setState(remembered);
  const { current, saved } = counting.getState();
  try {
    localStorage.setItem(STORED, JSON.stringify({ current, saved }));
  } catch {
    return; // browsers may forbid storage: then nothing is remembered
  }
}

/** Changes the setup; what is being counted and placed follows it. */
export function change({ store }: Annotations, changes: Partial<Setup>): void {
  const current = { ...counting.getState().current, ...changes };
  remember({ current });
  const { countedClass } = store.state.getState();
  const counted = current.classes.includes(countedClass) ? countedClass : (current.classes[0] ?? "");
  store.set({ countedClass: counted, fieldSize: current.size });
}

export const isCounting = ({ store }: Annotations): boolean => {
  const { tool } = store.state.getState();
  return tool === "count" || tool === "field";
};

/** Takes up the counting tool. */
export function start(annotations: Annotations): void {
  const { store } = annotations;
  counting.setState({ shown: true });
  change(annotations, {});
  store.set({ tool: "count", draft: null, visible: true });
}

export function stop({ store }: Annotations): void {
  store.set({ tool: null });
}

/** Counts this class from now on, with a colour that differs from the others'. */
export function choose({ store }: Annotations, name: string): void {
  store.set({ tool: "count", draft: null, countedClass: name });
}

/** Places the field after the last one, or the first in the middle of the view, and goes there. */
export function placeNext({ store, layer: { microscope } }: Annotations): void {
  const { mpp } = microscope.manifest;
  if (!mpp) return;
  const { fieldSize } = store.state.getState();
  const { region } = microscope.reading(false);
  const here = { x: region.l0_x + region.l0_width / 2, y: region.l0_y + region.l0_height / 2 };
  const placed = store.fields().map(({ content }) => middleOf(content.shape));
  const at = nextField(placed, fieldSize, mpp) ?? here;
  store.addFields([fieldAt(at, fieldSize, mpp)], microscope.plane);
  centreOn(microscope, at.x, at.y);
}

function read(): Remembered {
  try {
    return parseRemembered(localStorage.getItem(STORED));
  } catch {
    return FIRST;
  }
}
