/** Entering or removing a slide's scale, with the way back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { type Calibration, calibrationOf, sendCalibration } from "@wavescope/core/wire/slides/scale";
import { notifyFailure, notifyWithUndo } from "../../ui/notice";
import { refreshSlides } from "../../state/queries";
import { t } from "@wavescope/core/i18n/i18n";

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
      const message = mpp ? t("calibration.scaleIs", { x: Number(mpp.x.toPrecision(4)) }) : t("calibration.removed");
      notifyWithUndo(
        message,
        () =>
          void send(calibrationOf(manifest.scale, manifest.mpp?.x ?? null)).catch((error: unknown) =>
            notifyFailure(t("calibration.notUndone"), explain(error)),
          ),
      );
    },
  });
}
