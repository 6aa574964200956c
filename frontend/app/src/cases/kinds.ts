/** What cases and collections are called within a sentence. */
import type { CaseKind } from "@wavescope/core/wire/catalog/casesClient";
import { t } from "@wavescope/core/i18n/i18n";

export const KIND_NAMES: Readonly<Record<CaseKind, string>> = {
  case: t("cases.caseInSentence"),
  collection: t("cases.collectionInSentence"),
};
