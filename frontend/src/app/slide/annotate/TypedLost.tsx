import { Alert, Button, Group, Text } from "@mantine/core";
import type { Annotations } from "../../../viewer/annotate/annotations";
import { t } from "../../../i18n/i18n";

/** Another has deleted it while its user types: the words stay until the user decides. */
export function TypedLost({ store }: { readonly store: Annotations["store"] }) {
  return (
    <Alert color="yellow" title={t("annotate.deletedMeanwhile")} data-testid="typed-lost">
      <Text size="sm">{t("annotate.deletedMeanwhileHint")}</Text>
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" onClick={() => store.keepTyped()}>
          {t("annotate.keepAsNew")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => store.set({ typed: null })}>
          {t("annotate.discardText")}
        </Button>
      </Group>
    </Alert>
  );
}
