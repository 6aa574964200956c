/** The annotations of a microscope: opened at the first request, closed with the viewer. */
import { annotationClient } from "../../wire/annotations/annotations";
import { allows } from "../../wire/slides/manifest";
import type { Microscope } from "../core/microscope";
import { newId } from "../core/newId";
import { AnnotationStore } from "./store/annotationStore";
import { AnnotationInteraction } from "./interaction";
import { AnnotationLayer } from "./paint/layer";
import { tabOutbox } from "./store/outbox";

export interface Annotations {
  readonly store: AnnotationStore;
  readonly layer: AnnotationLayer;
  readonly interaction: AnnotationInteraction;
}

const opened = new WeakMap<Microscope, Annotations>();

export function annotationsOf(scope: Microscope): Annotations {
  const known = opened.get(scope);
  if (known) return known;
  const clock = {
    set: (work: () => void, milliseconds: number) => window.setTimeout(work, milliseconds),
    clear: (timer: number) => window.clearTimeout(timer),
  };
  const watched = (): boolean => document.visibilityState === "visible";
  const store = new AnnotationStore(
    annotationClient(scope.manifest.id, scope.manifest.files?.fetcher),
    tabOutbox(scope.manifest.id),
    clock,
    watched,
    newId,
    allows(scope.manifest, "edit annotations"),
  );
  const layer = new AnnotationLayer(scope, store);
  const annotations = { store, layer, interaction: new AnnotationInteraction(layer, store) };
  opened.set(scope, annotations);
  closeWith(scope, annotations);
  return annotations;
}

/** Null before the first request: no annotation is shown. */
export function openAnnotations(scope: Microscope): Annotations | null {
  return opened.get(scope) ?? null;
}

/** Whether something is selected or being drawn: Delete and Backspace are for it then. */
export function isEditing(scope: Microscope): boolean {
  const state = openAnnotations(scope)?.store.state.getState();
  return state !== undefined && (state.draft !== null || state.selected.length > 0);
}

function closeWith(scope: Microscope, { store, layer, interaction }: Annotations): void {
  const online = (): void => store.refresh();
  const leave = (event: BeforeUnloadEvent): void => {
    if (store.unsaved > 0) event.preventDefault();
  };
  addEventListener("online", online);
  addEventListener("beforeunload", leave);
  scope.viewer.addOnceHandler("before-destroy", () => {
    removeEventListener("online", online);
    removeEventListener("beforeunload", leave);
    interaction.close();
    layer.close();
    store.close();
  });
}
