import { Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCloudOff, IconLoader2, IconRuler2 } from "@tabler/icons-react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import styles from "./annotate.module.css";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

const STATE_TEXTS = {
  loading: t("common.loading"),
  saved: t("common.saved"),
  saving: t("annotate.saving"),
  unsaved: t("annotate.notSavedRetrying"),
  refused: t("common.notSaved"),
  local: t("annotate.measurementsNotSaved"),
} as const;

const ICONS = {
  loading: IconLoader2,
  saved: IconCheck,
  saving: IconLoader2,
  unsaved: IconCloudOff,
  refused: IconAlertTriangle,
  local: IconRuler2,
} as const;

/** Whether the service has stored the annotations. */
export function SaveMark({ annotations }: { readonly annotations: Annotations }) {
  const save = useAnnotationState(annotations, (state) =>
    state.save === "saved" && !state.editable ? "local" : state.save,
  );
  const reason = useAnnotationState(annotations, (state) => state.reason);
  const Icon = ICONS[save];
  return (
    <span className={styles.save} data-save={save} data-testid="annotation-save" role="status">
      <Icon size={15} aria-hidden="true" />
      <Text size="xs" component="span">
        {save === "refused" || (save === "loading" && reason) ? `${STATE_TEXTS[save]}: ${reason}` : STATE_TEXTS[save]}
      </Text>
    </span>
  );
}
