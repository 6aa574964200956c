/** What the slide page has beside the microscope itself: it comes after the first picture, or with the first key or click that needs it. */
import "../../annotationHooks";

export { CaseStrip } from "../../cases/CaseStrip";
export { spotlight } from "@mantine/spotlight";
export { CommandPalette } from "../../keyboard/CommandPalette";
export { KeyboardShortcuts } from "../../keyboard/KeyboardShortcuts";
export { ReplayBar } from "../../session/replay/ReplayBar";
export { HiddenControls } from "../../settings/HiddenControls";
export { showSettings } from "../../settings/dialog";
export { SessionBar } from "../../session/SessionBar";
export { leaveInnermost } from "../annotate/commands";
export { commands, previewCommands } from "./commands";
export { allPanels } from "./laterPanels";
export { overlays } from "./overlays";
export { topBarItems } from "./topBarItems";
