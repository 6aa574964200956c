import { Slider } from "@mantine/core";
import { IconEraser, IconMinus, IconPlus } from "@tabler/icons-react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../microscope/useAnnotations";
import styles from "./annotate.module.css";
import { brushWider } from "./areaSettings";
import { Choice } from "./Choice";
import { t } from "@wavescope/core/i18n/i18n";

const MOST_TOLERANT = 100;

/** How the brush paints, or how much alike the wand wants tissue to be. */
export function AreaOptions({
  annotations,
  tool,
}: {
  readonly annotations: Annotations;
  readonly tool: "brush" | "wand";
}) {
  const { store } = annotations;
  const brush = useAnnotationState(annotations, (state) => state.brush);
  const tolerance = useAnnotationState(annotations, (state) => state.tolerance);
  if (tool === "wand")
    return (
      <Slider
        className={styles.tolerance}
        size="sm"
        min={2}
        max={MOST_TOLERANT}
        value={tolerance}
        onChange={(value) => store.set({ tolerance: value })}
        label={(value) => `${t("annotate.tolerance")}: ${value}`}
        thumbLabel={t("annotate.tolerance")}
      />
    );
  return (
    <>
      <span className={styles.gap} />
      <Choice label={t("annotate.brushSmaller")} onClick={() => brushWider(store, -1)}>
        <IconMinus size={18} />
      </Choice>
      <span role="img" aria-label={t("annotate.brushWidth", { width: brush.width })} className={styles.brushWidth}>
        {brush.width}
      </span>
      <Choice label={t("annotate.brushLarger")} onClick={() => brushWider(store, 1)}>
        <IconPlus size={18} />
      </Choice>
      <Choice
        label={t("annotate.brushWipes")}
        on={brush.wipes}
        onClick={() => store.set({ brush: { ...brush, wipes: !brush.wipes } })}
      >
        <IconEraser size={18} />
      </Choice>
    </>
  );
}
