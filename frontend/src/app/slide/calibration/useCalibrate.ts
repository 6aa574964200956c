/** Entering or removing a slide's scale, with the way back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { explain } from "../../../wire/http/errors";
import type { Manifest } from "../../../wire/slides/manifest";
import { type Calibration, calibrationOf, sendCalibration } from "../../../wire/slides/scale";
import { tellFailure, tellWithUndo } from "../../ui/notice";
import { refreshSlides } from "../../state/queries";

/** `before`: called with the answer in hand, before the slide is shown by its new scale. */
export function useCalibrate(manifest: Manifest, before: () => void = () => {}) {
  const client = useQueryClient();
  const send = async (calibration: Calibration | null): Promise<Manifest> => {
    const changed = await sendCalibration(manifest.id, calibration);
    before();
    client.setQueryData(["manifest", manifest.id], changed);
    void refreshSlides(client);
    return changed;
  };
  return useMutation({
    mutationFn: send,
    onSuccess: ({ mpp }) => {
      const words = mpp ? `The scale is ${Number(mpp.x.toPrecision(4))} µm per pixel.` : "The scale is removed.";
      tellWithUndo(
        words,
        () =>
          void send(calibrationOf(manifest.scale, manifest.mpp?.x ?? null)).catch((error: unknown) =>
            tellFailure("Not undone", explain(error)),
          ),
      );
    },
  });
}
