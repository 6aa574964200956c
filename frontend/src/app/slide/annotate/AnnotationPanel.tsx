import { Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import type { PartProps } from "../../microscope/parts";
import { AnnotationList } from "./AnnotationList";
import { ClassList } from "./ClassList";
import { Exchange } from "./Exchange";
import styles from "./annotate.module.css";
import { SelectionEditor } from "./SelectionEditor";
import { ShownAnnotations } from "./ShownAnnotations";
import { useAnnotations, useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "../../../i18n/i18n";

export function AnnotationPanel({ scope, manifest }: PartProps) {
  const annotations = useAnnotations(scope);
  const [search, setSearch] = useState("");
  const deferredSearch = useDeferredValue(search);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  return (
    <Stack gap="sm" className={styles.panel}>
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
      <ShownAnnotations annotations={annotations} manifest={manifest} />
      <Exchange annotations={annotations} />
    </Stack>
  );
}
