import { useEffect } from "react";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/core/microscope";
import { trackViewedAreas, viewedAreasOf } from "../../../viewer/navigation/viewedAreas";
import { later } from "../../ui/later/Later";

interface Props {
  readonly scope: Microscope;
  readonly width: number;
  readonly height: number;
}

const ViewedAreasCanvas = later(async () => (await import("./ViewedAreasCanvas")).ViewedAreasCanvas);

/** The visited fields over the overview, where they are to be shown. */
export function ViewedAreasDrawing({ scope, width, height }: Props) {
  const { shown, fields } = useStore(viewedAreasOf(scope));
  useEffect(() => trackViewedAreas(scope), [scope]);
  if (!shown) return null;
  return <ViewedAreasCanvas fields={fields} width={width} height={height} css_per_l0={width / scope.pyramid.width} />;
}
