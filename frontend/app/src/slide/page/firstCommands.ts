/** Commands that are there from the first picture on: the microscope and the panels. */
import type { Command } from "../../microscope/parts";
import { viewerCommands } from "../../microscope/navigation/commands";
import { panelCommand } from "../../microscope/panels/panelCommand";
import { panels } from "./panels";

export const panelCommands: readonly Command[] = panels.map(panelCommand);

export const firstPreviewCommands = viewerCommands;

export const firstCommands: readonly Command[] = [...viewerCommands, ...panelCommands];
