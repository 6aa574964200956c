import { Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { FormActions, type FormProps } from "./FormActions";
import { t } from "@wavescope/core/i18n/i18n";

/** The whole slide as one file. */
export function ArchiveForm(props: FormProps) {
  const [annotations, setAnnotations] = useState(false);
  return (
    <Stack gap="sm" data-testid="export-form">
      <Text size="sm">{t("exporting.archiveHint")}</Text>
      <Checkbox
        label={t("common.annotations")}
        description={t("exporting.withoutAuthors")}
        checked={annotations}
        onChange={(event) => setAnnotations(event.currentTarget.checked)}
      />
      <FormActions {...props} request={{ annotations }} />
    </Stack>
  );
}
