import { Text } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHandMove, IconPin } from "@tabler/icons-react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { mayHaveMoreCorners } from "@wavescope/viewer/annotate/draw/editing";
import { AreaOptions } from "./AreaOptions";
import { Choice } from "./Choice";
import { SaveMark } from "./SaveMark";
import styles from "./annotate.module.css";
import { offeredTools } from "./tools";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

export function ToolBar({ annotations }: { readonly annotations: Annotations }) {
  const { store } = annotations;
  const tool = useAnnotationState(annotations, (state) => state.tool);
  const keepTool = useAnnotationState(annotations, (state) => state.keepTool);
  const canUndo = useAnnotationState(annotations, (state) => state.canUndo);
  const canRedo = useAnnotationState(annotations, (state) => state.canRedo);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const offered = offeredTools(editable);
  const gestures = useAnnotationState(annotations, ({ selected }) => gesturesFor(annotations, selected));
  const hint = offered.find(({ kind }) => kind === tool)?.hint;
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={editable ? t("annotate.annotationTools") : t("annotate.measuringToolsNotSaved")}
      data-testid="annotation-tools"
    >
      {(hint ?? gestures) && (
        <Text size="xs" className={styles.hint}>
          {hint ?? gestures}
          {hint && <span className={styles.panHint}> · {t("annotate.panHint")}</span>}
          {hint && <span className={styles.panTouchHint}> · {t("annotate.panTouchHint")}</span>}
        </Text>
      )}
      <Choice
        label={editable ? t("annotate.selectHint") : t("annotate.select")}
        more={t("annotate.areaHint")}
        on={tool === null}
        onClick={() => store.set({ tool: null, draft: null })}
      >
        <IconHandMove size={18} />
      </Choice>
      {offered.map(({ kind, title, icon: Icon }) => (
        <Choice
          key={kind}
          label={editable ? title : t("annotate.titleNotSaved", { title })}
          command={`annotate.${kind}`}
          on={tool === kind}
          onClick={() => store.set({ tool: kind, draft: null })}
        >
          <Icon size={18} />
        </Choice>
      ))}
      {(tool === "brush" || tool === "wand") && <AreaOptions annotations={annotations} tool={tool} />}
      <span className={styles.gap} />
      <span className={styles.wide}>
        <Choice label={t("annotate.keepTool")} on={keepTool} onClick={() => store.set({ keepTool: !keepTool })}>
          <IconPin size={18} />
        </Choice>
      </span>
      <Choice label={t("common.undo")} command="common.undo" disabled={!canUndo} onClick={() => store.undo()}>
        <IconArrowBackUp size={18} />
      </Choice>
      <span className={styles.wide}>
        <Choice label={t("annotate.redo")} command="annotate.redo" disabled={!canRedo} onClick={() => store.redo()}>
          <IconArrowForwardUp size={18} />
        </Choice>
      </span>
      <SaveMark annotations={annotations} />
    </div>
  );
}

/** What a hand can do with the selection. */
function gesturesFor({ store }: Annotations, selected: readonly string[]): string | null {
  const content = selected.length === 1 && store.mayChange(selected[0]!) ? store.get(selected[0]!) : null;
  if (!content) return null;
  return mayHaveMoreCorners(content.shape) ? t("annotate.cornersHint") : t("annotate.moveHint");
}
