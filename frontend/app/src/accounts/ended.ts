/** What a new password has ended, in words. */
import type { Ended } from "@wavescope/core/wire/accounts/accountClient";
import { t } from "@wavescope/core/i18n/i18n";
import { LOCALE } from "@wavescope/core/i18n/locale";

const LIST = new Intl.ListFormat(LOCALE);

export function endedLabel({ signIns, tokens }: Ended): string {
  const parts = [
    ...(signIns > 0 ? [t("accounts.signIns", { count: signIns })] : []),
    ...(tokens > 0 ? [t("accounts.tokens", { count: tokens })] : []),
  ];
  return parts.length === 0 ? t("accounts.nothingElseEnded") : t("accounts.ended", { what: LIST.format(parts) });
}
