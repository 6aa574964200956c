/** The side panels, in the order of their buttons. */
import {
  IconAdjustmentsHorizontal,
  IconBookmarks,
  IconInfoCircle,
  IconPencil,
  IconRoute,
  IconUsers,
} from "@tabler/icons-react";
import type { PartProps, SidePanelPart } from "../../microscope/parts";
import { later } from "../../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

/** Their code comes with the first opening, or once the first picture is shown. */
const ahead = { ahead: true };
const InformationPanel = later<PartProps>(
  async () => (await import("../information/InformationPanel")).InformationPanel,
  ahead,
);
const LightPanel = later<PartProps>(async () => (await import("../light/LightPanel")).LightPanel, ahead);
const AnnotationPanel = later<PartProps>(
  async () => (await import("../annotate/AnnotationPanel")).AnnotationPanel,
  ahead,
);
const BookmarksPanel = later<PartProps>(
  async () => (await import("../../microscope/bookmarks/BookmarksPanel")).BookmarksPanel,
  ahead,
);
const ToursPanel = later<PartProps>(async () => (await import("../../tours/ToursPanel")).ToursPanel, ahead);
const SessionPanel = later<PartProps>(
  async () => (await import("../../session/panel/SessionPanel")).SessionPanel,
  ahead,
);

export const panels: readonly SidePanelPart[] = [
  { id: "information", title: t("page.slideInformation"), icon: IconInfoCircle, keys: ["i"], Panel: InformationPanel },
  { id: "light", title: t("page.imageAdjustments"), icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
  { id: "annotations", title: t("common.annotations"), icon: IconPencil, keys: ["a"], Panel: AnnotationPanel },
  { id: "bookmarks", title: t("page.bookmarks"), icon: IconBookmarks, keys: ["b"], Panel: BookmarksPanel },
  { id: "tours", title: t("page.tours"), icon: IconRoute, keys: ["t"], Panel: ToursPanel },
  { id: "session", title: t("page.liveSession"), icon: IconUsers, keys: [], Panel: SessionPanel },
];
