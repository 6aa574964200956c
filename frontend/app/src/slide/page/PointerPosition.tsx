import { useEffect, useState } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { OwnPointer, type Pointed } from "@wavescope/viewer/live/ownPointer";
import { positionLabel } from "@wavescope/viewer/navigation/scale";

/** Where the pointer is on the slide: in mm, in pixels where the slide has no scale; nothing while it is not over the slide. */
export function PointerPosition({ microscope }: { readonly microscope: Microscope }) {
  const [at, setAt] = useState<Pointed>(null);
  useEffect(() => {
    const pointer = new OwnPointer(microscope, setAt);
    return () => pointer.close();
  }, [microscope]);
  const { width, height } = microscope.pyramid;
  const on = at !== null && at.l0_x >= 0 && at.l0_y >= 0 && at.l0_x < width && at.l0_y < height;
  return on && positionLabel(at, microscope.manifest.mpp);
}
