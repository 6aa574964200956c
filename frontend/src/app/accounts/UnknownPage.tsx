import { RefusalPage } from "../ui/Refusal";
import { t } from "../../i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** At an address that is no page's. */
export function UnknownPage() {
  usePageTitle(t("accounts.noSuchPage"));
  return <RefusalPage title={t("accounts.noSuchPage")} reason={t("accounts.noSuchPageReason")} />;
}
