/** What actions are called: in English as the log calls them, but for these; in other languages by the area `actions`, as problems are (LG5). */
import { type Address, t } from "@wavescope/core/i18n/i18n";

const NAMES: Readonly<Record<string, string>> = {
  "token-made": t("actions.token-made"),
  "user-made": t("actions.user-made"),
  "link-made": t("actions.link-made"),
  "backup-made": t("actions.backup-made"),
  "looked-at-label": t("actions.looked-at-label"),
  "recovery-codes-made": t("actions.recovery-codes-made"),
};

export function actionName(action: string): string {
  const key = action.replaceAll(" ", "-");
  return NAMES[key] ?? t(`actions.${key}` as Address, {}, action);
}
