/** The side panels, in the order of their buttons. */
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { LightPanel } from "./light/LightPanel";
import type { SidePanelPart } from "./parts";

export const panels: readonly SidePanelPart[] = [
  { id: "light", title: "Light and colour", icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
];
