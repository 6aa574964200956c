/** Every command of the slide page, in the order of the keyboard map. Each feature keeps its own in its folder. */
import { caseCommands } from "../../cases/commands";
import { annotateCommands } from "../annotate/commands";
import { classCommands, countCommands } from "../annotate/count/commands";
import { compareCommands } from "../../compare/compareCommands";
import { calibrationCommands } from "../calibration/calibrating";
import { settingsCommands } from "../../settings/commands";
import { pageCommands } from "../../keyboard/commands";
import { exportCommands } from "../exporting/exporting";
import { lightCommands } from "../light/commands";
import { panelCommand } from "../../microscope/panels/panelCommand";
import { panelCommands } from "./firstCommands";
import { overlaysPanel } from "./laterPanels";
import { overlayCommands } from "../overlays/commands";
import type { Command } from "../../microscope/parts";
import { addToPage, openPage, pictureCommands } from "../picture/commands";
import { bookmarkCommands } from "../../microscope/bookmarks/commands";
import { coverageCommands } from "../../microscope/coverage/commands";
import { annotationSteps, descriptionCommands } from "../../microscope/description/commands";
import { focusCommands } from "../../microscope/focus/commands";
import { viewerCommands } from "../../microscope/navigation/commands";
import { turningCommands } from "../../microscope/navigation/turningCommands";
import { sessionCommands } from "../../session/commands";
import { tourCommands } from "../../tours/commands";

/** Over a slide that is not there yet: what only looks. */
export const previewCommands: readonly Command[] = [
  ...viewerCommands,
  ...turningCommands,
  ...bookmarkCommands.filter(({ id }) => id !== "place.bookmark"),
  ...coverageCommands,
  ...focusCommands,
  ...pictureCommands,
  ...pageCommands,
  ...settingsCommands,
];

export const commands: readonly Command[] = [
  ...classCommands,
  ...viewerCommands,
  ...turningCommands,
  ...bookmarkCommands,
  ...coverageCommands,
  ...focusCommands,
  ...pictureCommands,
  addToPage,
  openPage,
  ...calibrationCommands,
  ...caseCommands,
  ...tourCommands,
  ...sessionCommands,
  ...exportCommands,
  ...compareCommands,
  ...panelCommands,
  panelCommand(overlaysPanel),
  ...annotateCommands,
  ...annotationSteps,
  ...descriptionCommands,
  ...countCommands,
  ...overlayCommands,
  ...lightCommands,
  ...pageCommands,
  ...settingsCommands,
];
