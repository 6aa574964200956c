import { Button } from "@mantine/core";
import { IconTablePlus } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { notify } from "../../ui/notice";
import { measurementTable } from "./measurements";

/** Adds what the selected annotations measure, or all if none is selected, to the page of views. */
export function AddMeasurements({ annotations }: { readonly annotations: Annotations }) {
  const { store, layer } = annotations;
  const count = useAnnotationState(annotations, (state) => state.count);
  if (count === 0) return null;
  const add = (): void => {
    const { selected } = store.state.getState();
    const ids = selected.length > 0 ? selected : [...store.index.all()].map(([id]) => id);
    const { microscope } = layer;
    const table = measurementTable(
      ids.flatMap((id) => store.get(id) ?? []),
      microscope.manifest.mpp,
    );
    if (table.rows.length === 0) return notify(t("annotate.nothingMeasured"));
    import("../../views/adding").then(
      ({ addCount }) => addCount(microscope, { caption: t("annotate.measurements"), ...table }),
      () => notify(t("ui.partNotLoaded")),
    );
  };
  return (
    <Button size="xs" variant="default" leftSection={<IconTablePlus size={14} />} onClick={add}>
      {t("annotate.addMeasurements")}
    </Button>
  );
}
