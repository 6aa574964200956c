/** The annotations of a microscope: opened at the first request, closed with the viewer. */
import { annotationClient } from "@wavescope/core/wire/annotations/annotations";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { Microscope } from "../core/microscope";
import { newId } from "../core/newId";
import { AnnotationStore } from "./store/annotationStore";
import { AnnotationInteraction } from "./interaction";
import { AnnotationLayer } from "./paint/layer";
import { browserLayerMemory } from "./store/layerMemory";
import { tabOutbox } from "./store/outbox";

export interface Annotations {
  readonly store: AnnotationStore;
  readonly layer: AnnotationLayer;
  readonly interaction: AnnotationInteraction;
}

const opened = new WeakMap<Microscope, Annotations>();

export function annotationsOf(microscope: Microscope): Annotations {
  const known = opened.get(microscope);
  if (known) return known;
  const clock = {
    set: (work: () => void, milliseconds: number) => window.setTimeout(work, milliseconds),
    clear: (timer: number) => window.clearTimeout(timer),
  };
  const watched = (): boolean => document.visibilityState === "visible";
  const store = new AnnotationStore(
    annotationClient(microscope.manifest.id, microscope.manifest.files?.fetcher),
    tabOutbox(microscope.manifest.id),
    clock,
    watched,
    newId,
    allows(microscope.manifest, "edit annotations"),
  );
  store.rememberLayers(browserLayerMemory(microscope.manifest.id));
  const layer = new AnnotationLayer(microscope, store);
  const annotations = { store, layer, interaction: new AnnotationInteraction(layer, store) };
  opened.set(microscope, annotations);
  closeWith(microscope, annotations);
  return annotations;
}

/** Null before the first request: no annotation is shown. */
export function openAnnotations(microscope: Microscope): Annotations | null {
  return opened.get(microscope) ?? null;
}

/** Whether something is selected or being drawn: Delete and Backspace are for it then. */
export function isEditing(microscope: Microscope): boolean {
  const state = openAnnotations(microscope)?.store.state.getState();
  return state !== undefined && (state.draft !== null || state.selected.length > 0);
}

function closeWith(microscope: Microscope, { store, layer, interaction }: Annotations): void {
  const online = (): void => store.refresh();
  const leave = (event: BeforeUnloadEvent): void => {
    if (store.unsaved > 0) event.preventDefault();
  };
  addEventListener("online", online);
  addEventListener("beforeunload", leave);
  microscope.viewer.addOnceHandler("before-destroy", () => {
    removeEventListener("online", online);
    removeEventListener("beforeunload", leave);
    interaction.close();
    layer.close();
    store.close();
  });
}
