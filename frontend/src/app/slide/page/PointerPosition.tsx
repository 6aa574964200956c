import { useEffect, useState } from "react";
import type { Microscope } from "../../../viewer/core/microscope";
import { OwnPointer, type Pointed } from "../../../viewer/live/ownPointer";
import { positionLabel } from "../../../viewer/navigation/scale";

/** Where the pointer is on the slide: in mm, in pixels where the slide has no scale; nothing while it is not over the slide. */
export function PointerPosition({ scope }: { readonly scope: Microscope }) {
  const [at, setAt] = useState<Pointed>(null);
  useEffect(() => {
    const pointer = new OwnPointer(scope, setAt);
    return () => pointer.close();
  }, [scope]);
  const { width, height } = scope.pyramid;
  const on = at !== null && at.l0_x >= 0 && at.l0_y >= 0 && at.l0_x < width && at.l0_y < height;
  return on && positionLabel(at, scope.manifest.mpp);
}
