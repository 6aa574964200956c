/** The side panels, in the order of their buttons. */
import type { SidePanelPart } from "./parts";

export const panels: readonly SidePanelPart[] = [];
