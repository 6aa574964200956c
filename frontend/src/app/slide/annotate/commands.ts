/** Annotating by keys. Shapes can be drawn without a pointer: the middle of the view is the pen, Enter puts it down. */
import { annotationsOf, openAnnotations } from "../../../viewer/annotate/annotations";
import type { Annotations } from "../../../viewer/annotate/annotations";
import { MEASURING } from "../../../viewer/annotate/store/localObjects";
import type { Microscope } from "../../../viewer/core/microscope";
import { type Kind, moved } from "../../../geometry/shape";
import type { Command, SlideContext } from "../../microscope/parts";
import { tools } from "./tools";
import { t } from "../../../i18n/i18n";

const GROUP = t("common.annotations");
const STEP = 4; // CSS pixels

const here = ({ scope }: SlideContext): Annotations => annotationsOf(scope);
const isDrawing = (context: SlideContext): boolean => here(context).book.state.getState().tool !== null;
const mayChange = (context: SlideContext): boolean => {
  const { book } = here(context);
  const { selected } = book.state.getState();
  return selected.length > 0 && selected.every((id) => book.mayChange(id));
};
const hasSelection = (context: SlideContext): boolean => here(context).book.state.getState().selected.length > 0;
/** Enter belongs to a button that has the focus. */
const onStage = ({ stage }: SlideContext): boolean =>
  document.activeElement === stage || document.activeElement === document.body;

/** Leaves the innermost of shape, tool and selection; false where there is none of them. */
export function leaveInnermost(scope: Microscope): boolean {
  const annotations = openAnnotations(scope);
  if (!annotations) return false;
  const { book, hands } = annotations;
  const { draft, tool, selected } = book.state.getState();
  if (draft) hands.key("cancel");
  else if (tool) book.set({ tool: null });
  else if (selected.length > 0) book.set({ selected: [] });
  else return false;
  return true;
}

function nudge(context: SlideContext, across: number, down: number): void {
  const { book, layer } = here(context);
  const { pixel } = layer.place({ x: 0, y: 0 });
  for (const id of book.state.getState().selected.slice(0, 1)) {
    const content = book.get(id);
    if (content)
      book.amend([id], {
        shape: moved(
          content.shape,
          Math.round(across * STEP * pixel * 100) / 100,
          Math.round(down * STEP * pixel * 100) / 100,
        ),
      });
  }
}

const isOffered =
  (kind: Kind) =>
  (context: SlideContext): boolean =>
    here(context).book.state.getState().editable || MEASURING.includes(kind);

const choosing = tools.map(
  ({ kind, title, key }): Command => ({
    id: `annotate.${kind}`,
    group: GROUP,
    title: t("annotate.draw", { shape: title.toLowerCase() }),
    keys: [key],
    available: isOffered(kind),
    run: (context) => {
      const { book } = here(context);
      book.set({ tool: book.state.getState().tool === kind ? null : kind, draft: null });
    },
  }),
);

const nudging = [
  { id: "left", across: -1, down: 0, key: "ArrowLeft" },
  { id: "right", across: 1, down: 0, key: "ArrowRight" },
  { id: "up", across: 0, down: -1, key: "ArrowUp" },
  { id: "down", across: 0, down: 1, key: "ArrowDown" },
].map(
  ({ id, across, down, key }): Command => ({
    id: `annotate.move-${id}`,
    group: GROUP,
    title: t("annotate.moveSelected", { id }),
    keys: [`Alt+${key}`],
    repeats: true,
    available: mayChange,
    run: (context) => nudge(context, across, down),
  }),
);

export const annotateCommands: readonly Command[] = [
  ...choosing,
  {
    id: "annotate.place",
    group: GROUP,
    title: t("annotate.startAtCentre"),
    keys: ["Enter"],
    available: (context) => isDrawing(context) && onStage(context),
    run: (context) => here(context).hands.key("place"),
  },
  {
    id: "annotate.finish",
    group: GROUP,
    title: t("annotate.finishShape"),
    keys: ["Shift+Enter"],
    available: isDrawing,
    run: (context) => here(context).hands.key("finish"),
  },
  {
    id: "annotate.cancel",
    group: GROUP,
    title: t("annotate.leave"),
    keys: ["Escape"],
    available: (context) => isDrawing(context) || hasSelection(context),
    run: ({ scope }) => void leaveInnermost(scope),
  },
  {
    id: "annotate.delete",
    group: GROUP,
    title: t("annotate.deleteSelectedOrLastCorner"),
    keys: ["Delete"],
    available: (context) =>
      onStage(context) && (mayChange(context) || here(context).book.state.getState().draft !== null),
    run: (context) => {
      const { book, hands } = here(context);
      if (book.state.getState().draft) hands.key("back");
      else book.remove(book.state.getState().selected);
    },
  },
  {
    id: "annotate.undo",
    group: GROUP,
    title: t("annotate.undo"),
    keys: ["Mod+z"],
    repeats: true,
    available: (context) => here(context).book.state.getState().canUndo,
    run: (context) => here(context).book.undo(),
  },
  {
    id: "annotate.redo",
    group: GROUP,
    title: t("annotate.redo"),
    keys: ["Mod+Shift+z", "Mod+y"],
    repeats: true,
    available: (context) => here(context).book.state.getState().canRedo,
    run: (context) => here(context).book.redo(),
  },
  ...nudging,
  {
    id: "annotate.visible",
    group: GROUP,
    title: t("annotate.showOrHideAll"),
    keys: ["Shift+h"],
    run: (context) => {
      const { book } = here(context);
      book.set({ visible: !book.state.getState().visible });
    },
  },
];
