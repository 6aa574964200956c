import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";
import { OwnPointer, type Pointed } from "@wavescope/viewer/live/ownPointer";
import { positionLabel } from "@wavescope/viewer/navigation/scale";
import type { samplesAt } from "./channelSamples";
import type { amountsAt } from "./stainAmounts";

/** Where the pointer is on the slide: in mm, in pixels where the slide has no scale; nothing while it is not over the slide. Of channels also the samples there, of a stain view the amounts. */
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
  const view = useStore(lightOf(microscope).state, (state) => state.view);
  const [amounts, setAmounts] = useState<{ readonly at: typeof amountsAt } | null>(null);
  useEffect(() => {
    if (view)
      import("./stainAmounts").then(
        (loaded) => setAmounts({ at: loaded.amountsAt }),
        () => undefined, // the position alone
      );
  }, [view]);
  const { width, height } = microscope.pyramid;
  const on = at !== null && at.l0_x >= 0 && at.l0_y >= 0 && at.l0_x < width && at.l0_y < height;
  const read = on ? [...(samples?.at(microscope, at) ?? []), ...(amounts?.at(microscope, at) ?? [])] : [];
  return on && [...read, positionLabel(at, microscope.manifest.mpp)].join(" · ");
}
