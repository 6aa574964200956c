import { CloseButton, Paper, Text } from "@mantine/core";
import { useEffect } from "react";
import { useStore } from "zustand";
import { panelState, showPanel } from "../../microscope/panelState";
import type { PartProps } from "../../microscope/parts";
import { followClipboard } from "./clipboard";
import { CountBar } from "./count/CountBar";
import { isCounting } from "./count/counting";
import { ToolBar } from "./ToolBar";
import styles from "./annotate.module.css";
import { useAnnotations, useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

export const PANEL = "annotations";

/** The tool bar, while it is useful, and notices to the user. */
export function AnnotationOverlay({ microscope }: PartProps) {
  const annotations = useAnnotations(microscope);
  const open = useStore(panelState, (state) => state.panel === PANEL);
  const busy = useAnnotationState(
    annotations,
    ({ tool, save }) => tool !== null || save === "unsaved" || save === "refused",
  );
  const active = useAnnotationState(annotations, () => isCounting(annotations));
  const untitledTextId = useAnnotationState(annotations, (state) => state.untitledTextId);
  const notice = useAnnotationState(annotations, (state) => state.notice);
  useEffect(() => {
    if (untitledTextId !== null) showPanel(PANEL);
  }, [untitledTextId]);
  useEffect(() => followClipboard(annotations), [annotations]);
  return (
    <div className={styles.overlay} data-annotating={open || busy}>
      <div aria-live="polite">
        {notice !== null && (
          <Paper withBorder shadow="sm" className={styles.notice} data-testid="annotation-notice">
            <Text size="sm">{notice}</Text>
            <CloseButton aria-label={t("common.close")} onClick={() => annotations.store.set({ notice: null })} />
          </Paper>
        )}
      </div>
      {active ? <CountBar annotations={annotations} /> : (open || busy) && <ToolBar annotations={annotations} />}
    </div>
  );
}
