/** What the kinds of marks are called within a sentence. */
import type { MarkKind } from "@wavescope/core/wire/catalog/toursClient";
import { t } from "@wavescope/core/i18n/i18n";

export const MARK_NAMES: Readonly<Record<MarkKind, string>> = {
  point: t("tours.pointInSentence"),
  rectangle: t("tours.rectangleInSentence"),
  ellipse: t("tours.ellipseInSentence"),
  arrow: t("tours.arrowInSentence"),
};
