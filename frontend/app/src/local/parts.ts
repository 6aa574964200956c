/** What the page of a local file has of the microscope's parts: all that needs no service (LI9). */
import "../annotationHooks";
import { IconInfoCircle } from "@tabler/icons-react";
import { settingsCommands } from "../settings/commands";
import { pageCommands } from "../keyboard/commands";
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
import { panels as slidePanels } from "../slide/page/panels";
import { receiptCommand, showReceipt } from "../receipt/dialog";
import { LocalInformation } from "./LocalInformation";
import { LocalReceipt } from "./LocalReceipt";
import { t } from "@wavescope/core/i18n/i18n";

export const overlays: readonly Overlay[] = [
  ViewControls,
  ScaleBar,
  Turret,
  AnnotationOverlay,
  GoTo,
  GamepadControl,
  LocalReceipt,
];

export const panels: readonly SidePanelPart[] = [
  { id: "information", title: t("page.slideInformation"), icon: IconInfoCircle, keys: ["i"], Panel: LocalInformation },
  ...slidePanels.filter(({ id }) => id === "light"),
];

export const commands: readonly Command[] = [
  ...viewerCommands,
  ...turningCommands,
  ...panels.map(panelCommand),
  ...annotateCommands,
  ...lightCommands,
  receiptCommand(() => showReceipt(true)),
  ...pageCommands,
  ...settingsCommands,
];
