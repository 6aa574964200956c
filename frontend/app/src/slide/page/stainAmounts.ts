/** What the status line says of the stains under the pointer: optical densities, of the stored pixel that is drawn there. */
import { decimal } from "@wavescope/core/geometry/figures";
import { lightOf } from "@wavescope/viewer/light/light";
import { stainNames } from "@wavescope/viewer/light/stainStage";
import { amountOf, stainViewOf, tablesOf } from "@wavescope/viewer/light/stains";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Pointed } from "@wavescope/viewer/live/ownPointer";
import { t } from "@wavescope/core/i18n/i18n";

/** As in "Eosin 0.42", of all three stains; nothing without a stain view. */
export function amountsAt(microscope: Microscope, at: NonNullable<Pointed>): string[] {
  const light = lightOf(microscope);
  const { stain, white } = light.state.getState().adjustments;
  const view = stain && stainViewOf(stain);
  if (!view) return [];
  const { canvas_x, canvas_y } = microscope.toCanvas(at.l0_x, at.l0_y);
  const colour = light.stored(canvas_x - 0.5, canvas_y - 0.5, 0);
  if (!colour) return [];
  const tables = tablesOf(view, white);
  return stainNames(view).map((name, s) =>
    t("stains.amount", { name, amount: decimal((amountOf(tables, s, ...colour) / 4096).toFixed(2)) }),
  );
}
