import { useDocumentTitle } from "@mantine/hooks";
import { t } from "@wavescope/core/i18n/i18n";

/** The title of the browser's tab: what the page shows, and the product; without a name the product alone. */
export function usePageTitle(name?: string): void {
  useDocumentTitle(name === undefined ? t("common.wavescope") : t("common.pageTitle", { name }));
}
