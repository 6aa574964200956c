/** Moving, zooming and focusing by keys: from the first picture on. */
import { home, panBy, zoomBy, zoomToScale } from "@wavescope/viewer/navigation/moves";
import { TURRET } from "@wavescope/viewer/navigation/objectives";
import { jump } from "../browserHistory";
import type { Command, SlideContext } from "../parts";
import { objectivesOf, turnTurret } from "./objective";
import { t } from "@wavescope/core/i18n/i18n";

const STEP = 0.125;
const FIELD = 0.9;
const ZOOM = 1.5;

const directions = [
  { id: "left", key: "ArrowLeft", across: -1, down: 0, step: "microscope.moveLeft", field: "microscope.moveLeftField" },
  {
    id: "right",
    key: "ArrowRight",
    across: 1,
    down: 0,
    step: "microscope.moveRight",
    field: "microscope.moveRightField",
  },
  { id: "up", key: "ArrowUp", across: 0, down: -1, step: "microscope.moveUp", field: "microscope.moveUpField" },
  { id: "down", key: "ArrowDown", across: 0, down: 1, step: "microscope.moveDown", field: "microscope.moveDownField" },
] as const;

const moving = directions.flatMap(({ id, key, across, down, step, field }): Command[] => [
  {
    id: `stage.${id}`,
    group: t("keyboard.navigation"),
    title: t(step),
    keys: [key],
    repeats: true,
    run: ({ microscope }) => panBy(microscope, STEP * across, STEP * down),
  },
  {
    id: `stage.${id}-field`,
    group: t("keyboard.navigation"),
    title: t(field),
    keys: [`Shift+${key}`],
    repeats: true,
    run: ({ microscope }) => panBy(microscope, FIELD * across, FIELD * down),
  },
]);

const zooming: Command[] = [
  {
    id: "zoom.in",
    group: t("keyboard.zoom"),
    title: t("microscope.zoomIn"),
    keys: ["+", "="],
    repeats: true,
    run: ({ microscope }) => zoomBy(microscope, ZOOM),
  },
  {
    id: "zoom.out",
    group: t("keyboard.zoom"),
    title: t("microscope.zoomOut"),
    keys: ["-"],
    repeats: true,
    run: ({ microscope }) => zoomBy(microscope, 1 / ZOOM),
  },
  {
    id: "zoom.full",
    group: t("keyboard.zoom"),
    title: t("microscope.fullResolution"),
    keys: ["1"],
    run: ({ microscope }) => jump(microscope, () => zoomToScale(microscope, 1)),
  },
  {
    id: "zoom.home",
    group: t("keyboard.zoom"),
    title: t("microscope.wholeSlide"),
    keys: ["0", "Home"],
    run: ({ microscope }) => jump(microscope, () => home(microscope)),
  },
];

const objectives = TURRET.map((magnification, i): Command => {
  const objective = ({ microscope }: SlideContext) =>
    objectivesOf(microscope).find((candidate) => candidate.magnification === magnification);
  return {
    id: `zoom.objective-${magnification}`,
    group: t("keyboard.zoom"),
    title: t("microscope.objective", { magnification }),
    keys: [String(i + 2)],
    available: (context) => objective(context) !== undefined,
    run: (context) => turnTurret(context.microscope, objective(context)!),
  };
});

const focusing = [
  { id: "previous", title: t("microscope.previousPlane"), keys: ["[", "PageDown"], step: -1 },
  { id: "next", title: t("microscope.nextPlane"), keys: ["]", "PageUp"], step: 1 },
].map(
  ({ id, title, keys, step }): Command => ({
    id: `focus.${id}`,
    group: t("keyboard.focus"),
    title,
    keys,
    repeats: true,
    available: ({ manifest }) => manifest.planes > 1,
    run: ({ microscope }) => microscope.setPlane(microscope.plane + step),
  }),
);

export const viewerCommands: readonly Command[] = [...moving, ...zooming, ...objectives, ...focusing];
