import { Alert, Button, Group } from "@mantine/core";
import { t } from "../../i18n/i18n";

/** The slide has another version now. */
export function StaleNotice({ onReload }: { readonly onReload: () => void }) {
  return (
    <Alert color="yellow" title={t("microscope.changed")} data-testid="stale-notice">
      <Group justify="space-between" wrap="nowrap">
        {t("microscope.changedHint")}
        <Button size="compact-sm" onClick={onReload}>
          {t("microscope.reload")}
        </Button>
      </Group>
    </Alert>
  );
}

/** Why the service makes the pictures. */
export function FallbackNotice({ reason, onClose }: { readonly reason: string; readonly onClose: () => void }) {
  return (
    <Alert
      color="blue"
      title={t("microscope.fallbackTitle")}
      withCloseButton
      closeButtonLabel={t("common.close")}
      onClose={onClose}
      data-testid="fallback-notice"
    >
      {t("microscope.fallbackHint", { fallbackReason: reason })}
    </Alert>
  );
}
