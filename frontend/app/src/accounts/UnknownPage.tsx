import { WholeErrorPage } from "../ui/ErrorPage";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** At an address that is no page's. */
export function UnknownPage() {
  usePageTitle(t("accounts.noSuchPage"));
  return <WholeErrorPage title={t("accounts.noSuchPage")} reason={t("accounts.noSuchPageReason")} />;
}
