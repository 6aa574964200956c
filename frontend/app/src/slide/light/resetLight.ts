import { t } from "@wavescope/core/i18n/i18n";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { plain } from "@wavescope/viewer/light/adjustments";
import { readLight, setLight } from "@wavescope/viewer/light/light";
import { notifyWithUndo } from "../../ui/notice";

/** The slide as it is, with the overlays that are shown, and the way back for a while. */
export function resetLight(microscope: Microscope): void {
  const before = readLight(microscope);
  const after = { ...plain, overlays: before.overlays };
  setLight(microscope, after);
  if (JSON.stringify(before) !== JSON.stringify(after))
    notifyWithUndo(t("light.adjustmentsReset"), () => setLight(microscope, before));
}
