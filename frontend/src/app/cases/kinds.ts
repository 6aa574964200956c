/** What cases and collections are called within a sentence. */
import type { CaseKind } from "../../wire/catalog/casesClient";
import { t } from "../../i18n/i18n";

export const KIND_NAMES: Readonly<Record<CaseKind, string>> = {
  case: t("cases.caseInSentence"),
  collection: t("cases.collectionInSentence"),
};
