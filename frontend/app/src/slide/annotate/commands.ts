/** Annotating by keys. Shapes can be drawn without a pointer: the middle of the view is the pen, Enter puts it down. */
import { annotationsOf, isEditing, openAnnotations } from "@wavescope/viewer/annotate/annotations";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { canCombine, combine, duplicate } from "@wavescope/viewer/annotate/selection";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { hundredths, moved } from "@wavescope/core/geometry/shape";
import type { Command, SlideContext } from "../../microscope/parts";
import { brushWider } from "./areaSettings";
import { combinations } from "./combining";
import { type Tool, isMeasuring, tools } from "./tools";
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("common.annotations");
const STEP = 4; // CSS pixels

const here = ({ microscope }: SlideContext): Annotations => annotationsOf(microscope);
/** Drawing or counting. */
const isDrawing = (context: SlideContext): boolean => here(context).store.state.getState().tool !== null;
const isBegun = (context: SlideContext): boolean => here(context).store.state.getState().draft !== null;
const mayChange = (context: SlideContext): boolean => {
  const { store } = here(context);
  const { selected } = store.state.getState();
  return selected.length > 0 && selected.every((id) => store.mayChange(id));
};
const hasSelection = (context: SlideContext): boolean => here(context).store.state.getState().selected.length > 0;
/** Whether the picture has the focus, by keys or by a click into it: Enter belongs to a button that has it. */
const hasFocus = ({ container }: SlideContext): boolean =>
  document.activeElement === document.body || (container?.contains(document.activeElement) ?? false);

/** Leaves the innermost of shape, tool and selection; false where there is none of them. */
export function leaveInnermost(microscope: Microscope): boolean {
  const annotations = openAnnotations(microscope);
  if (!annotations) return false;
  const { store, interaction } = annotations;
  const { draft, tool, selected } = store.state.getState();
  if (draft) interaction.key("cancel");
  else if (tool) store.set({ tool: null });
  else if (selected.length > 0) store.set({ selected: [] });
  else return false;
  return true;
}

function nudge(context: SlideContext, across: number, down: number): void {
  const { store, layer } = here(context);
  const { pixel } = layer.slidePoint({ x: 0, y: 0 });
  for (const id of store.state.getState().selected.slice(0, 1)) {
    const content = store.get(id);
    if (content)
      store.patch([id], {
        shape: moved(content.shape, hundredths(across * STEP * pixel), hundredths(down * STEP * pixel)),
      });
  }
}

const isOffered =
  (kind: Tool["kind"]) =>
  (context: SlideContext): boolean =>
    here(context).store.state.getState().editable || isMeasuring(kind);

const choosing = tools.map(
  ({ kind, action, key }): Command => ({
    id: `annotate.${kind}`,
    group: GROUP,
    title: action,
    keys: [key],
    available: isOffered(kind),
    run: (context) => {
      const { store } = here(context);
      store.set({ tool: store.state.getState().tool === kind ? null : kind, draft: null });
    },
  }),
);

const nudging = [
  { id: "left", title: t("annotate.moveLeft"), across: -1, down: 0, key: "ArrowLeft" },
  { id: "right", title: t("annotate.moveRight"), across: 1, down: 0, key: "ArrowRight" },
  { id: "up", title: t("annotate.moveUp"), across: 0, down: -1, key: "ArrowUp" },
  { id: "down", title: t("annotate.moveDown"), across: 0, down: 1, key: "ArrowDown" },
].map(
  ({ id, title, across, down, key }): Command => ({
    id: `annotate.move-${id}`,
    group: GROUP,
    title,
    keys: [`Alt+${key}`],
    repeats: true,
    available: mayChange,
    run: (context) => nudge(context, across, down),
  }),
);

const combining = combinations.map(
  ({ how, action }): Command => ({
    id: `annotate.${how}`,
    group: GROUP,
    title: action,
    keys: [],
    available: (context) => canCombine(here(context).store, how),
    run: (context) => void combine(here(context).store, how),
  }),
);

const brushing = [
  { id: "smaller", title: t("annotate.brushSmaller"), steps: -1, key: "Alt+," },
  { id: "larger", title: t("annotate.brushLarger"), steps: 1, key: "Alt+." },
].map(
  ({ id, title, steps, key }): Command => ({
    id: `annotate.brush-${id}`,
    group: GROUP,
    title,
    keys: [key],
    repeats: true,
    available: (context) => here(context).store.state.getState().tool === "brush",
    run: (context) => brushWider(here(context).store, steps),
  }),
);

export const annotateCommands: readonly Command[] = [
  ...choosing,
  ...brushing,
  ...combining,
  {
    id: "annotate.duplicate",
    group: GROUP,
    title: t("annotate.duplicateSelected"),
    keys: ["Mod+d"],
    available: (context) => hasSelection(context) && here(context).store.state.getState().editable,
    run: (context) => {
      const { store, layer } = here(context);
      duplicate(store, layer.slidePoint({ x: 0, y: 0 }).pixel);
    },
  },
  {
    id: "annotate.place",
    group: GROUP,
    title: t("annotate.startAtCentre"),
    keys: ["Enter"],
    available: (context) => isDrawing(context) && hasFocus(context),
    run: (context) => here(context).interaction.key("place"),
  },
  {
    id: "annotate.finish",
    group: GROUP,
    title: t("annotate.finishShape"),
    keys: ["Shift+Enter"],
    available: isDrawing,
    run: (context) => here(context).interaction.key("finish"),
  },
  {
    id: "annotate.cancel",
    group: GROUP,
    title: t("annotate.leave"),
    keys: ["Escape"],
    available: (context) => isDrawing(context) || hasSelection(context),
    run: ({ microscope }) => void leaveInnermost(microscope),
  },
  {
    id: "annotate.delete",
    group: GROUP,
    title: t("annotate.deleteSelectedOrLastCorner"),
    keys: ["Delete", "Backspace"],
    // Taken also where the selection may not be changed: Backspace would leave the view.
    available: ({ microscope }) => isEditing(microscope),
    run: (context) => {
      const { store, interaction } = here(context);
      if (isBegun(context)) interaction.key("back");
      else if (mayChange(context)) store.remove(store.state.getState().selected);
    },
  },
  {
    id: "annotate.select-all",
    group: GROUP,
    title: t("annotate.selectAllShown"),
    keys: ["Mod+a"],
    available: (context) => hasFocus(context) && here(context).store.state.getState().count > 0,
    run: (context) => {
      const { store, layer } = here(context);
      store.selectWhere(layer.isSeen);
    },
  },
  {
    id: "common.undo",
    group: GROUP,
    title: t("common.undo"),
    keys: ["Mod+z"],
    repeats: true,
    available: (context) => here(context).store.state.getState().canUndo,
    run: (context) => here(context).store.undo(),
  },
  {
    id: "annotate.redo",
    group: GROUP,
    title: t("annotate.redo"),
    keys: ["Mod+y", "Mod+Shift+z"],
    repeats: true,
    available: (context) => here(context).store.state.getState().canRedo,
    run: (context) => here(context).store.redo(),
  },
  ...nudging,
  {
    id: "annotate.visible",
    group: GROUP,
    title: t("annotate.showOrHideAll"),
    keys: ["Shift+h"],
    run: (context) => {
      const { store } = here(context);
      store.set({ visible: !store.state.getState().visible });
    },
  },
];
