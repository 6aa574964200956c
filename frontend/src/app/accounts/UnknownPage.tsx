import { useDocumentTitle } from "@mantine/hooks";
import { RefusalPage } from "../ui/Refusal";
import { t } from "../../i18n/i18n";

/** At an address that is no page's. */
export function UnknownPage() {
  useDocumentTitle(t("accounts.noSuchPageTitle"));
  return <RefusalPage title={t("accounts.noSuchPage")} reason={t("accounts.noSuchPageReason")} />;
}
