import { boxOf } from "@wavescope/core/geometry/shape";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { freePart } from "@wavescope/viewer/navigation/freePart";
import { centreOn, fit } from "@wavescope/viewer/navigation/moves";

const MARGIN = 0.35; // of the object, on each side

/** Brings an object into view; `closely` fills the view with it. */
export function showObject({ store, layer: { microscope } }: Annotations, id: string, closely = false): void {
  const content = store.get(id);
  if (!content) return;
  const { minX, minY, maxX, maxY } = boxOf(content.shape);
  const [width, height] = [maxX - minX, maxY - minY];
  const { region } = microscope.reading(false);
  const free = freePart(microscope);
  const inside =
    minX >= region.l0_x &&
    minY >= region.l0_y &&
    maxX <= region.l0_x + region.l0_width * free.across &&
    maxY <= region.l0_y + region.l0_height * free.down;
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  if (width + height > 0 && (closely || width > region.l0_width || height > region.l0_height)) {
    fit(
      microscope,
      {
        l0_x: minX - width * MARGIN,
        l0_y: minY - height * MARGIN,
        l0_width: width * (1 + 2 * MARGIN),
        l0_height: height * (1 + 2 * MARGIN),
      },
      false,
    );
  } else if (!inside || closely) centreOn(microscope, x, y);
}
