import { useEffect, useState } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { OwnPointer, type Pointed } from "@wavescope/viewer/live/ownPointer";
import { positionLabel } from "@wavescope/viewer/navigation/scale";
import type { samplesAt } from "./channelSamples";

/** Where the pointer is on the slide: in mm, in pixels where the slide has no scale; nothing while it is not over the slide. Of channels also the samples there. */
export function PointerPosition({ microscope }: { readonly microscope: Microscope }) {
  const [at, setAt] = useState<Pointed>(null);
  useEffect(() => {
    const pointer = new OwnPointer(microscope, setAt);
    return () => pointer.close();
  }, [microscope]);
  const [samples, setSamples] = useState<{ readonly at: typeof samplesAt } | null>(null);
  useEffect(() => {
    if (microscope.manifest.groups)
      import("./channelSamples").then(
        (loaded) => setSamples({ at: loaded.samplesAt }),
        () => undefined, // the position alone
      );
  }, [microscope]);
  const { width, height } = microscope.pyramid;
  const on = at !== null && at.l0_x >= 0 && at.l0_y >= 0 && at.l0_x < width && at.l0_y < height;
  return on && [...(samples?.at(microscope, at) ?? []), positionLabel(at, microscope.manifest.mpp)].join(" · ");
}
