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

export const panels: readonly SidePanelPart[] = [
  { id: "information", title: "Slide information", icon: IconInfoCircle, keys: ["i"], Panel: InformationPanel },
  { id: "light", title: "Image adjustments", icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
  { id: "annotations", title: "Annotations", icon: IconPencil, keys: ["a"], Panel: AnnotationPanel },
  { id: "bookmarks", title: "Bookmarks", icon: IconBookmarks, keys: ["b"], Panel: BookmarksPanel },
  { id: "tours", title: "Tours", icon: IconRoute, keys: ["t"], Panel: ToursPanel },
  { id: "session", title: "Live session", icon: IconUsers, keys: [], Panel: SessionPanel },
];
