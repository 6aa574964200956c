import { useMemo } from "react";
import { useStore } from "zustand";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { OverlayInteraction } from "@wavescope/viewer/overlays/interaction";
import { type OverlayEntry, type Overlays, overlaysOf } from "@wavescope/viewer/overlays/overlays";

export interface OpenOverlays {
  readonly overlays: Overlays;
  readonly interaction: OverlayInteraction;
}

const opened = new WeakMap<Microscope, OpenOverlays>();

/** The overlays of a microscope; the list is read at the first call. */
export function openOverlays(microscope: Microscope): OpenOverlays {
  const known = opened.get(microscope);
  if (known) return known;
  const overlays = overlaysOf(microscope);
  const { store } = annotationsOf(microscope);
  const interaction = new OverlayInteraction(overlays, {
    isFree: () => store.state.getState().tool === null,
    end: () => {
      store.select([]);
      store.set({ tool: null });
    },
  });
  const made = { overlays, interaction };
  opened.set(microscope, made);
  void overlays.load();
  return made;
}

export function useOverlays(microscope: Microscope): OpenOverlays & { readonly list: readonly OverlayEntry[] | null } {
  const made = useMemo(() => openOverlays(microscope), [microscope]);
  const list = useStore(made.overlays.state, (state) => state.list);
  return { ...made, list };
}
