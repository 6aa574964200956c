/** What can be made of several annotations, in the order in which it is offered. */
import { IconArrowsSplit2, IconLayersIntersect, IconLayersSubtract, IconLayersUnion } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Combination } from "@wavescope/viewer/annotate/selection";
import { t } from "@wavescope/core/i18n/i18n";

export interface Combining {
  readonly how: Combination;
  readonly title: string;
  /** What a command calls it. */
  readonly action: string;
  readonly icon: ComponentType<{ size?: number | string }>;
}

export const combinations: readonly Combining[] = [
  { how: "merge", title: t("annotate.merge"), action: t("annotate.mergeSelected"), icon: IconLayersUnion },
  { how: "subtract", title: t("annotate.subtract"), action: t("annotate.subtractSelected"), icon: IconLayersSubtract },
  {
    how: "intersect",
    title: t("annotate.intersect"),
    action: t("annotate.intersectSelected"),
    icon: IconLayersIntersect,
  },
  { how: "split", title: t("annotate.split"), action: t("annotate.splitSelected"), icon: IconArrowsSplit2 },
];
