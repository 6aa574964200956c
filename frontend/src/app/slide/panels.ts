/** The side panels, in the order of their buttons. */
import { IconAdjustmentsHorizontal, IconRoute } from "@tabler/icons-react";
import { LightPanel } from "./light/LightPanel";
import type { SidePanelPart } from "./parts";
import { ToursPanel } from "./tours/ToursPanel";

export const panels: readonly SidePanelPart[] = [
  { id: "light", title: "Light and colour", icon: IconAdjustmentsHorizontal, keys: ["l"], Panel: LightPanel },
  { id: "tours", title: "Tours", icon: IconRoute, keys: ["t"], Panel: ToursPanel },
];
