/** What actions are called, where the log's own name for one is not what people say. */
import { t } from "@wavescope/core/i18n/i18n";

const NAMES: Readonly<Record<string, string>> = {
  "token-made": t("audit.tokenMade"),
  "user-made": t("audit.userMade"),
  "link-made": t("audit.linkMade"),
  "backup-made": t("audit.backupMade"),
  "looked-at-label": t("audit.labelLookedAt"),
};

export const actionName = (action: string): string => NAMES[action.replaceAll(" ", "-")] ?? action;
