/** Which tour is edited, and at which of its stops: it stays so while another panel is open. Without React. */
import { createStore } from "zustand/vanilla";
import type { MarkKind, Tour } from "@wavescope/core/wire/catalog/toursClient";

export type ChangeTour = (edit: (tour: Tour) => Tour) => void;

export interface EditingTour {
  readonly tour: string | null;
  /** The slide or case in whose tours it was opened. */
  readonly owner: string | null;
  /** The stop whose marks are shown and can be moved. */
  readonly stop: string | null;
  /** The kind of mark that is placed next. */
  readonly placing: MarkKind | null;
  /** Null while the editor is not shown. */
  readonly change: ChangeTour | null;
}

const NOTHING: EditingTour = { tour: null, owner: null, stop: null, placing: null, change: null };

export const editingTour = createStore<EditingTour>(() => NOTHING);

export function editTour(tour: string, owner: string): void {
  editingTour.setState({ ...NOTHING, tour, owner });
}

export function endEditing(): void {
  editingTour.setState(NOTHING);
}

/** Another stop is worked on; what was to be placed at the one before is not placed. */
export function workOnStop(stop: string): void {
  if (editingTour.getState().stop !== stop) editingTour.setState({ stop, placing: null });
}
