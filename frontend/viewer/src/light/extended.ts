/** Extended depth of field as a part of the view (focus.md, ZS3, ZS7). */
import type { Microscope } from "../core/microscope";
import { lightOf, readLight, setLight } from "./light";

/** Whether the slide has several planes that are decoded here; else there is no extended depth of field. */
export function canExtend({ source }: Microscope): boolean {
  return source.setExtended !== undefined;
}

export function isExtended(microscope: Microscope): boolean {
  return canExtend(microscope) && readLight(microscope).extended;
}

/** Extended depth of field, or the plane again. */
export function toggleExtended(microscope: Microscope): void {
  const adjustments = readLight(microscope);
  if (canExtend(microscope)) setLight(microscope, { ...adjustments, extended: !adjustments.extended });
}

/** Another plane than that of the view which has it ends extended depth of field, until the result is called. */
export function endExtendedWithPlane(microscope: Microscope): () => void {
  let { plane } = microscope;
  const stops = [
    lightOf(microscope).state.subscribe(() => ({ plane } = microscope)),
    microscope.state.subscribe(() => {
      if (microscope.plane !== plane && isExtended(microscope)) toggleExtended(microscope);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
