import { Checkbox, Stack } from "@mantine/core";
import { useAnnotationState } from "../../microscope/useAnnotations";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly annotations: Annotations;
  readonly manifest: Manifest;
}

/** Which annotations the picture shows, and whether with their names. */
export function ShownAnnotations({ annotations, manifest }: Props) {
  const { store } = annotations;
  const visible = useAnnotationState(annotations, (state) => state.visible);
  const labels = useAnnotationState(annotations, (state) => state.labels);
  const onlyThisPlane = useAnnotationState(annotations, (state) => state.onlyThisPlane);
  return (
    <Stack gap={12}>
      <Checkbox
        size="xs"
        label={t("annotate.showAnnotations")}
        checked={visible}
        onChange={() => store.set({ visible: !visible })}
      />
      <Checkbox
        size="xs"
        label={t("annotate.showLabels")}
        checked={labels}
        onChange={() => store.set({ labels: !labels })}
      />
      {manifest.planes > 1 && (
        <Checkbox
          size="xs"
          label={t("annotate.onlyThisPlane")}
          checked={onlyThisPlane}
          onChange={() => store.set({ onlyThisPlane: !onlyThisPlane })}
        />
      )}
    </Stack>
  );
}
