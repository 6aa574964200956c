/** The side panels, in the order of their buttons. */
import {
  IconAdjustmentsHorizontal,
  IconBookmarks,
  IconInfoCircle,
  IconPencil,
  IconRoute,
  IconUsers,
} from "@tabler/icons-react";
import { AnnotationPanel } from "../annotate/AnnotationPanel";
import { InformationPanel } from "../information/InformationPanel";
import { LightPanel } from "../light/LightPanel";
import type { SidePanelPart } from "../../microscope/parts";
import { BookmarksPanel } from "../../microscope/bookmarks/BookmarksPanel";
import { SessionPanel } from "../../session/panel/SessionPanel";
import { ToursPanel } from "../../tours/ToursPanel";
import { t } from "../../../i18n/i18n";

export const panels: readonly SidePanelPart[] = [
  { id: "information", title: t("page.slideInformation"), icon: IconInfoCircle, keys: ["i"], Panel: InformationPanel },
  { id: "light", title: t("page.imageAdjustments"), icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
  { id: "annotations", title: t("common.annotations"), icon: IconPencil, keys: ["a"], Panel: AnnotationPanel },
  { id: "bookmarks", title: t("page.bookmarks"), icon: IconBookmarks, keys: ["b"], Panel: BookmarksPanel },
  { id: "tours", title: t("page.tours"), icon: IconRoute, keys: ["t"], Panel: ToursPanel },
  { id: "session", title: t("page.liveSession"), icon: IconUsers, keys: [], Panel: SessionPanel },
];
