/** What the page of exported slides has of the microscope's parts: all that needs no service (SH9). */
import "../annotationHooks";
import { IconAdjustmentsHorizontal, IconBookmarks, IconInfoCircle, IconPencil, IconStack2 } from "@tabler/icons-react";
import { settingsCommands } from "../settings/commands";
import { pageCommands } from "../keyboard/commands";
import { BookmarksPanel } from "../microscope/bookmarks/BookmarksPanel";
import { bookmarkCommands } from "../microscope/bookmarks/commands";
import { coverageCommands } from "../microscope/coverage/commands";
import { focusCommands } from "../microscope/focus/commands";
import { DescribedView } from "../microscope/description/DescribedView";
import { annotationSteps, descriptionCommands } from "../microscope/description/commands";
import { FocusSlider } from "../microscope/FocusSlider";
import { viewerCommands } from "../microscope/navigation/commands";
import { turningCommands } from "../microscope/navigation/turningCommands";
import { GamepadControl } from "../microscope/navigation/GamepadControl";
import { GoTo } from "../microscope/navigation/GoTo";
import { Turret } from "../microscope/navigation/Turret";
import { panelCommand } from "../microscope/panels/panelCommand";
import type { Command, Overlay, SidePanelPart } from "../microscope/parts";
import { ScaleBar } from "../microscope/ScaleBar";
import { ViewControls } from "../microscope/ViewControls";
import { AnnotationOverlay } from "../slide/annotate/AnnotationOverlay";
import { annotateCommands } from "../slide/annotate/commands";
import { lightCommands } from "../slide/light/commands";
import { LightPanel } from "../slide/light/LightPanel";
import { overlayCommands } from "../slide/overlays/commands";
import { OverlayPointer } from "../slide/overlays/OverlayPointer";
import { OverlaysPanel } from "../slide/overlays/OverlaysPanel";
import { receiptOfView } from "../slide/exporting/exporting";
import { pictureCommands } from "../slide/picture/commands";
import { ExportedAnnotations } from "./ExportedAnnotations";
import { ExportedInformation } from "./ExportedInformation";
import { t } from "@wavescope/core/i18n/i18n";

export const overlays: readonly Overlay[] = [
  ViewControls,
  FocusSlider,
  ScaleBar,
  Turret,
  AnnotationOverlay,
  OverlayPointer,
  GoTo,
  GamepadControl,
  DescribedView,
];

export const panels: readonly SidePanelPart[] = [
  {
    id: "information",
    title: t("page.slideInformation"),
    icon: IconInfoCircle,
    keys: ["i"],
    Panel: ExportedInformation,
  },
  { id: "light", title: t("page.imageAdjustments"), icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
  { id: "annotations", title: t("common.annotations"), icon: IconPencil, keys: ["a"], Panel: ExportedAnnotations },
  { id: "overlays", title: t("overlays.overlays"), icon: IconStack2, keys: ["v"], Panel: OverlaysPanel },
  { id: "bookmarks", title: t("page.bookmarks"), icon: IconBookmarks, keys: ["b"], Panel: BookmarksPanel },
];

export const commands: readonly Command[] = [
  ...viewerCommands,
  ...turningCommands,
  ...bookmarkCommands,
  ...coverageCommands,
  ...focusCommands,
  ...pictureCommands,
  receiptOfView,
  ...panels.map(panelCommand),
  ...annotateCommands,
  ...annotationSteps,
  ...descriptionCommands,
  ...overlayCommands,
  ...lightCommands,
  ...pageCommands,
  ...settingsCommands,
];
