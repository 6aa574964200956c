/** The parts of a slide that are likely to be exported. */
import type { Region } from "@wavescope/core/geometry/field";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { underScreen } from "@wavescope/viewer/navigation/pointing";
import { boundingRegion } from "./region";

/** The rectangle around what is in view of the slide, also where the slide is turned. */
export function regionInView(microscope: Microscope): Region {
  const { clientWidth: width, clientHeight: height } = microscope.viewer.element;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return withinSlide(
    boundingRegion(corners.map(([css_x, css_y]) => underScreen(microscope, { css_x, css_y }))),
    microscope,
  );
}

/** The part on the slide; a rectangle beside the slide as it is. */
function withinSlide(region: Region, { pyramid }: Microscope): Region {
  const [l0_x, l0_y] = [Math.max(0, region.l0_x), Math.max(0, region.l0_y)];
  const l0_width = Math.min(pyramid.width, region.l0_x + region.l0_width) - l0_x;
  const l0_height = Math.min(pyramid.height, region.l0_y + region.l0_height) - l0_y;
  return l0_width > 0 && l0_height > 0 ? { l0_x, l0_y, l0_width, l0_height } : region;
}

export function wholeSlide({ pyramid }: Microscope): Region {
  return { l0_x: 0, l0_y: 0, l0_width: pyramid.width, l0_height: pyramid.height };
}
