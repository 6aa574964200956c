import { Button, Text } from "@mantine/core";
import { IconArrowBackUp, IconCircleDashed, IconCirclePlus, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { total } from "@wavescope/viewer/annotate/count/totals";
import { colorFromName } from "@wavescope/viewer/annotate/store/classColors";
import { cssOf } from "@wavescope/viewer/annotate/paint/colors";
import { useKeyLabels } from "../../../ui/keys/KeyTooltip";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { Choice } from "../Choice";
import { SaveMark } from "../SaveMark";
import styles from "../annotate.module.css";
import { choose, counting, placeNext, stop } from "./counting";
import { t } from "@wavescope/core/i18n/i18n";

/** While one counts: the classes with their keys and how many there are on the slide, fields, undo. */
export function CountBar({ annotations }: { readonly annotations: Annotations }) {
  const { store, layer } = annotations;
  const { classes } = useStore(counting, (state) => state.current);
  const counted = useAnnotationState(annotations, (state) => state.countedClass);
  const tool = useAnnotationState(annotations, (state) => state.tool);
  const canUndo = useAnnotationState(annotations, (state) => state.canUndo);
  const colors = useAnnotationState(annotations, (state) => state.classes);
  const version = useAnnotationState(annotations, (state) => state.version);
  const hasScale = layer.microscope.manifest.mpp !== null;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the objects of the store
  const { counts } = useMemo(() => total(store.index, classes, null, null), [store, classes, version]);
  const keys = useKeyLabels(classes.map((_, i) => `count.class-${i + 1}`));
  const placing = tool === "field";
  const hint = placing
    ? t("counting.hintField")
    : counted
      ? t("counting.hint", { name: counted })
      : t("counting.hintNone");
  return (
    <div className={styles.bar} role="toolbar" aria-label={t("counting.bar")} data-testid="count-bar">
      <Text size="xs" className={styles.hint}>
        {hint}
      </Text>
      {classes.map((name, i) => (
        <Button
          key={name}
          size="xs"
          variant={!placing && name === counted ? "filled" : "subtle"}
          color={!placing && name === counted ? undefined : "gray"}
          className={styles.counted}
          aria-label={t("counting.keyOf", { key: keys[i]!, name, count: counts[i]! })}
          aria-pressed={!placing && name === counted}
          leftSection={
            <>
              <kbd className={styles.digit}>{keys[i]}</kbd>
              <span className={styles.swatch} style={{ background: cssOf(colors.get(name) ?? colorFromName(name)) }} />
            </>
          }
          onClick={() => choose(annotations, name)}
        >
          <span className={styles.countedName}>{name}</span>
          <strong>{counts[i]}</strong>
        </Button>
      ))}
      <span className={styles.gap} />
      {hasScale && (
        <>
          <Choice
            label={t("counting.placeByClick")}
            on={placing}
            onClick={() => store.set({ tool: placing ? "count" : "field" })}
          >
            <IconCircleDashed size={18} />
          </Choice>
          <Choice label={t("counting.nextField")} command="count.next-field" onClick={() => placeNext(annotations)}>
            <IconCirclePlus size={18} />
          </Choice>
        </>
      )}
      <Choice label={t("common.undo")} command="common.undo" disabled={!canUndo} onClick={() => store.undo()}>
        <IconArrowBackUp size={18} />
      </Choice>
      <Choice label={t("counting.stopCounting")} command="count.start" onClick={() => stop(annotations)}>
        <IconX size={18} />
      </Choice>
      <SaveMark annotations={annotations} />
    </div>
  );
}
