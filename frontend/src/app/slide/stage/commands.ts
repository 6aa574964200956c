/** Moving, zooming and focusing by keys. */
import { home, panBy, zoomBy, zoomToScale } from "../../../viewer/moves";
import type { Command } from "../parts";

const STEP = 0.125;
const FIELD = 0.9;
const ZOOM = 1.5;

const directions = [
  { id: "left", key: "ArrowLeft", across: -1, down: 0 },
  { id: "right", key: "ArrowRight", across: 1, down: 0 },
  { id: "up", key: "ArrowUp", across: 0, down: -1 },
  { id: "down", key: "ArrowDown", across: 0, down: 1 },
];

const moving = directions.flatMap(({ id, key, across, down }): Command[] => [
  { id: `stage.${id}`, group: "Stage", title: `Move ${id}`, keys: [key], repeats: true, run: ({ scope }) => panBy(scope, STEP * across, STEP * down) },
  {
    id: `stage.${id}-field`,
    group: "Stage",
    title: `Move ${id} by a field of view`,
    keys: [`Shift+${key}`],
    repeats: true,
    run: ({ scope }) => panBy(scope, FIELD * across, FIELD * down),
  },
]);

const zooming: Command[] = [
  { id: "zoom.in", group: "Zoom", title: "Zoom in", keys: ["+", "="], repeats: true, run: ({ scope }) => zoomBy(scope, ZOOM) },
  { id: "zoom.out", group: "Zoom", title: "Zoom out", keys: ["-"], repeats: true, run: ({ scope }) => zoomBy(scope, 1 / ZOOM) },
  { id: "zoom.full", group: "Zoom", title: "Full resolution, 1:1", keys: ["1"], run: ({ scope }) => zoomToScale(scope, 1) },
  { id: "zoom.home", group: "Zoom", title: "Whole slide", keys: ["0", "Home"], run: ({ scope }) => home(scope) },
];

const focusing = [
  { id: "previous", title: "Previous plane", keys: ["[", "PageDown"], step: -1 },
  { id: "next", title: "Next plane", keys: ["]", "PageUp"], step: 1 },
].map(({ id, title, keys, step }): Command => ({
  id: `focus.${id}`,
  group: "Focus",
  title,
  keys,
  repeats: true,
  available: ({ manifest }) => manifest.planes > 1,
  run: ({ scope }) => scope.setPlane(scope.state.getState().plane + step),
}));

export const stageCommands: readonly Command[] = [...moving, ...zooming, ...focusing];
