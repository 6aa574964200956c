import { Alert, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { wasSignedIn } from "../accounts/account";
import { addressOf } from "../state/router";
import { findLoss } from "./lostAccess";
import { t } from "@wavescope/core/i18n/i18n";

/** The slide has another version now, or is not for this user any more. */
export function StaleNotice({ slide, onReload }: { readonly slide: string; readonly onReload: () => void }) {
  const { data } = useQuery({
    queryKey: ["loss", slide],
    queryFn: () => findLoss(slide, wasSignedIn()),
    staleTime: 0,
    gcTime: 0,
  });
  if (!data) return null;
  const { kind, title, text } = data;
  const here = addressOf("/sign-in", { next: location.pathname });
  return (
    <Alert color="yellow" title={title} data-testid="stale-notice" data-kind={kind}>
      <Group justify="space-between" wrap="nowrap">
        {text}
        {kind === "replaced" && (
          <Button size="compact-sm" onClick={onReload}>
            {t("microscope.reload")}
          </Button>
        )}
        {kind === "signed-out" && (
          <Button size="compact-sm" component="a" href={here}>
            {t("accounts.signIn")}
          </Button>
        )}
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
