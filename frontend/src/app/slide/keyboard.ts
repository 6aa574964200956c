/** The keys of the stage. Returns true when the key was one of ours. */
import type { Microscope } from "../../viewer/microscope";
import { home, panBy, zoomBy, zoomToScale } from "../../viewer/moves";
import { toggleFullScreen } from "./fullScreen";

const STEP = 0.125;
const FIELD = 0.9;
const ZOOM = 1.5;

type Key = Pick<React.KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">;

export function stageKey(scope: Microscope, event: Key, page: HTMLElement | null): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const step = event.shiftKey ? FIELD : STEP;
  const { plane } = scope.state.getState();
  const actions: Record<string, () => void> = {
    ArrowLeft: () => panBy(scope, -step, 0),
    ArrowRight: () => panBy(scope, step, 0),
    ArrowUp: () => panBy(scope, 0, -step),
    ArrowDown: () => panBy(scope, 0, step),
    "+": () => zoomBy(scope, ZOOM),
    "=": () => zoomBy(scope, ZOOM),
    "-": () => zoomBy(scope, 1 / ZOOM),
    "0": () => home(scope),
    Home: () => home(scope),
    "1": () => zoomToScale(scope, 1),
    "[": () => scope.setPlane(plane - 1),
    "]": () => scope.setPlane(plane + 1),
    PageDown: () => scope.setPlane(plane - 1),
    PageUp: () => scope.setPlane(plane + 1),
    f: () => toggleFullScreen(page),
  };
  const action = actions[event.key];
  action?.();
  return action !== undefined;
}
