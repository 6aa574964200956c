import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import type { PartProps } from "../../microscope/parts";
import { AnnotationList } from "./AnnotationList";
import { ClassList } from "./ClassList";
import { Exchange } from "./Exchange";
import { SelectionEditor } from "./SelectionEditor";
import { useAnnotations, useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "../../../i18n/i18n";

export function AnnotationPanel({ scope, manifest }: PartProps) {
  const annotations = useAnnotations(scope);
  const { store } = annotations;
  const [search, setSearch] = useState("");
  const deferredSearch = useDeferredValue(search);
  const labels = useAnnotationState(annotations, (state) => state.labels);
  const visible = useAnnotationState(annotations, (state) => state.visible);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const onlyThisPlane = useAnnotationState(annotations, (state) => state.onlyThisPlane);
  return (
    <Stack gap="sm">
      {!editable && (
        <Text size="sm" role="note" data-testid="measure-only">
          {t("annotate.viewerHint")}
        </Text>
      )}
      <SelectionEditor annotations={annotations} manifest={manifest} />
      <TextInput
        size="xs"
        type="search"
        aria-label={t("annotate.searchAnnotations")}
        placeholder={t("annotate.searchHint")}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <AnnotationList annotations={annotations} manifest={manifest} search={deferredSearch} />
      <ClassList annotations={annotations} />
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
      <Exchange annotations={annotations} />
    </Stack>
  );
}
