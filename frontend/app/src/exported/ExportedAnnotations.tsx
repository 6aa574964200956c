import { Stack, Text } from "@mantine/core";
import type { PartProps } from "../microscope/parts";
import { useAnnotations } from "../microscope/useAnnotations";
import { AnnotationList } from "../slide/annotate/AnnotationList";
import { SelectionEditor } from "../slide/annotate/SelectionEditor";
import { ShownAnnotations } from "../slide/annotate/ShownAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

/** The annotations of the export: to read, not to change. */
export function ExportedAnnotations({ microscope, manifest }: PartProps) {
  const annotations = useAnnotations(microscope);
  return (
    <Stack gap="sm">
      <Text size="sm" role="note">
        {t("annotate.viewerHint")}
      </Text>
      <SelectionEditor annotations={annotations} manifest={manifest} />
      <AnnotationList annotations={annotations} manifest={manifest} search="" />
      <ShownAnnotations annotations={annotations} manifest={manifest} />
    </Stack>
  );
}
