/** The parts of a slide that are likely to be exported. */
import type { Region } from "../../../geometry/field";
import type { Microscope } from "../../../viewer/core/microscope";
import { underScreen } from "../../../viewer/navigation/pointing";
import { boundingRegion } from "./region";

/** The rectangle around what is in view, also where the slide is turned. */
export function regionInView(scope: Microscope): Region {
  const { clientWidth: width, clientHeight: height } = scope.viewer.element;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return boundingRegion(corners.map(([css_x, css_y]) => underScreen(scope, { css_x, css_y })));
}

export function wholeSlide({ pyramid }: Microscope): Region {
  return { l0_x: 0, l0_y: 0, l0_width: pyramid.width, l0_height: pyramid.height };
}
