import { useEffect } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { trackViewedAreas, viewedAreasOf } from "@wavescope/viewer/navigation/viewedAreas";
import { later } from "../../ui/later/Later";

export interface DrawingProps {
  readonly microscope: Microscope;
  readonly width: number;
  readonly height: number;
}

const ViewedAreasCanvas = later(async () => (await import("./ViewedAreasCanvas")).ViewedAreasCanvas);

/** The visited fields over the overview, where they are to be shown. */
export function ViewedAreasDrawing({ microscope, width, height }: DrawingProps) {
  const { shown, fields } = useStore(viewedAreasOf(microscope));
  useEffect(() => trackViewedAreas(microscope), [microscope]);
  if (!shown) return null;
  return (
    <ViewedAreasCanvas fields={fields} width={width} height={height} css_per_l0={width / microscope.pyramid.width} />
  );
}
