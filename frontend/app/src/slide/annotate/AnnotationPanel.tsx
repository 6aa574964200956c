import { SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { useStore } from "zustand";
import type { PartProps } from "../../microscope/parts";
import { AnnotationList } from "./AnnotationList";
import { ClassList } from "./ClassList";
import { CountPanel } from "./count/CountPanel";
import { counting } from "./count/counting";
import { Exchange } from "./Exchange";
import { LayerList } from "./LayerList";
import styles from "./annotate.module.css";
import { SelectionEditor } from "./SelectionEditor";
import { ShownAnnotations } from "./ShownAnnotations";
import { AuthorColors } from "./together/AuthorColors";
import { CommentNews } from "./together/CommentNews";
import { useAnnotations, useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

/** The list of annotations, or what is counted. */
export function AnnotationPanel(props: PartProps) {
  const annotations = useAnnotations(props.microscope);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const shown = useStore(counting, (state) => state.shown);
  if (!editable) return <Listed {...props} />;
  return (
    <Stack gap="sm" className={styles.panel}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("common.annotations")}
        value={shown ? "counting" : "list"}
        onChange={(value) => counting.setState({ shown: value === "counting" })}
        data={[
          { value: "list", label: t("annotate.list") },
          { value: "counting", label: t("counting.counting") },
        ]}
      />
      {shown ? <CountPanel {...props} /> : <Listed {...props} />}
    </Stack>
  );
}

function Listed({ microscope, manifest }: PartProps) {
  const annotations = useAnnotations(microscope);
  const [search, setSearch] = useState("");
  const deferredSearch = useDeferredValue(search);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const drawing = useAnnotationState(
    annotations,
    ({ tool, selected }) => tool !== null && annotations.store.get(selected[0] ?? "")?.shape.kind !== "text", // typed here
  );
  return (
    <Stack gap="sm" className={styles.listed} data-drawing={drawing}>
      {!editable && (
        <Text size="sm" role="note" data-testid="measure-only">
          {t("annotate.viewerHint")}
        </Text>
      )}
      <CommentNews annotations={annotations} />
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
      <LayerList annotations={annotations} />
      <ClassList annotations={annotations} />
      <AuthorColors annotations={annotations} />
      <ShownAnnotations annotations={annotations} manifest={manifest} />
      <Exchange annotations={annotations} />
    </Stack>
  );
}
