/** Where the slide lies on the canvas of an OpenSeadragon viewer. */
import OpenSeadragon from "openseadragon";
import type { Placement } from "./tileLayout";

/** The unturned slide's position and scale in device pixels: now, or where the motion leads to. */
export function placementOf(
  viewport: OpenSeadragon.Viewport,
  image: OpenSeadragon.TiledImage,
  current = true,
): Placement {
  const ratio = OpenSeadragon.pixelDensityRatio;
  const bounds = image.getBoundsNoRotate(current);
  const corner = viewport.pixelFromPointNoRotate(bounds.getTopLeft(), current);
  const across = viewport.deltaPixelsFromPointsNoRotate(new OpenSeadragon.Point(bounds.width, 0), current).x;
  return {
    canvas_x: corner.x * ratio,
    canvas_y: corner.y * ratio,
    l0_scale: (across * ratio) / image.source.dimensions.x,
  };
}
