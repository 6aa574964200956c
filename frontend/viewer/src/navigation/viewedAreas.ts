/** Where one has been: the fields of view that were rested on, newest last. State without React. */
import { createStore } from "zustand/vanilla";
import type { Region } from "@wavescope/core/geometry/field";
import type { Size } from "@wavescope/core/geometry/pyramid";
import type { Microscope } from "../core/microscope";

export interface VisitedField extends Region {
  /** Degrees by which the slide was turned on the screen. */
  readonly rotation: number;
}

export interface ViewedAreas {
  readonly shown: boolean;
  readonly fields: readonly VisitedField[];
}

export type ViewedAreasStore = ReturnType<typeof createViewedAreas>;

const MAX_AREAS = 120;
/** Milliseconds of rest that make a visit. */
const REST = 400;

export const createViewedAreas = () => createStore<ViewedAreas>(() => ({ shown: false, fields: [] }));

/** One trail per open slide; it is gone with it. */
const stores = new WeakMap<Microscope, ViewedAreasStore>();

export function viewedAreasOf(microscope: Microscope): ViewedAreasStore {
  let store = stores.get(microscope);
  if (!store) stores.set(microscope, (store = createViewedAreas()));
  return store;
}

/** Notes each field that is rested on, beginning with the one in view, until what it gives is called. A view of the whole slide is an overview, and no area of it. */
export function trackViewedAreas(microscope: Microscope): () => void {
  const store = viewedAreasOf(microscope);
  let timer: ReturnType<typeof setTimeout>;
  let last: Region | null = null;
  const note = ({ region, rotation }: Pick<VisitedField, "rotation"> & { readonly region: Region }): void => {
    if (region === last) return;
    last = region;
    clearTimeout(timer);
    if (showsWhole(microscope.pyramid, { ...region, rotation })) return;
    timer = setTimeout(
      () => store.setState(({ fields }) => ({ fields: visit(fields, { ...region, rotation }) })),
      REST,
    );
  };
  note(microscope.state.getState());
  const stop = microscope.state.subscribe(note);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Adds a field; one that nearly covers the last replaces it. */
export function visit(fields: readonly VisitedField[], field: VisitedField): readonly VisitedField[] {
  const last = fields.at(-1);
  const before = last && isSame(last, field) ? fields.slice(0, -1) : fields;
  return [...before, field].slice(-MAX_AREAS);
}

/** Nearly the whole slide counts as the whole: this part of each side may be out of view. */
const MARGIN = 0.03;

/** Whether the corners of the slide are in view. */
function showsWhole({ width, height }: Size, field: VisitedField): boolean {
  const angle = (field.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const inView = (l0_x: number, l0_y: number): boolean => {
    const [x, y] = [l0_x - field.l0_x - field.l0_width / 2, l0_y - field.l0_y - field.l0_height / 2];
    const [across, down] = [cos * x - sin * y, sin * x + cos * y];
    return Math.abs(across) <= field.l0_width / 2 && Math.abs(down) <= field.l0_height / 2;
  };
  return [MARGIN, 1 - MARGIN].every((x) => [MARGIN, 1 - MARGIN].every((y) => inView(x * width, y * height)));
}

/** How strongly a field is shown: the newest wholly, older ones fainter, the oldest hardly. */
export function strength(index: number, count: number): number {
  return 0.12 + 0.88 * 0.93 ** (count - 1 - index);
}

function isSame(a: VisitedField, b: VisitedField): boolean {
  const near = 0.04 * b.l0_width;
  return (
    a.rotation === b.rotation &&
    Math.abs(a.l0_x - b.l0_x) < near &&
    Math.abs(a.l0_y - b.l0_y) < near &&
    Math.abs(a.l0_width / b.l0_width - 1) < 0.04
  );
}
