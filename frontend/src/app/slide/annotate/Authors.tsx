import { Text } from "@mantine/core";
import type { Annotations } from "../../../viewer/annotate/annotations";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "../../../i18n/i18n";

/** Who created it, and who changed it last if that is another person. */
export function Authors({ annotations, id }: { readonly annotations: Annotations; readonly id: string }) {
  useAnnotationState(annotations, (state) => state.answers);
  const signed = annotations.store.signed(id);
  if (!signed?.author) return null;
  const { author, editor } = signed;
  return (
    <Text size="xs" c="dimmed" data-testid="annotation-author">
      {editor === author ? t("annotate.createdBy", { author }) : t("annotate.createdAndChangedBy", { author, editor })}
    </Text>
  );
}
