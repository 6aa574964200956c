/** The ends of a line on the slide, as they are clicked. */
import { useEffect, useState } from "react";
import { pickPositions } from "../../../viewer/navigation/clicks";
import type { Microscope } from "../../../viewer/core/microscope";
import { type Spot, onSlide, withSpot } from "./length";

/** The ends, and marking one at the centre of the view; `on`: whether clicks are taken. */
export function useSpots(scope: Microscope, on: boolean): readonly [readonly Spot[], () => void] {
  const [spots, setSpots] = useState<readonly Spot[]>([]);
  useEffect(() => {
    if (!on) return;
    return pickPositions(scope, (spot) => setSpots((before) => withSpot(before, onSlide(spot, scope.pyramid))));
  }, [scope, on]);
  const markCentre = (): void => {
    const { l0_x, l0_y, l0_width, l0_height } = scope.reading(false).region;
    const centre = { l0_x: l0_x + l0_width / 2, l0_y: l0_y + l0_height / 2 };
    setSpots((before) => withSpot(before, onSlide(centre, scope.pyramid)));
  };
  return [spots, markCentre];
}
