import { decimal, withUnit } from "@wavescope/core/geometry/figures";
import type { Comparison } from "@wavescope/viewer/compare/comparison";

/** A length on the slide of a pane: micrometres where its scale is known, else level-0 pixels. */
export function lengthLabel(value: number, { microscopes }: Comparison, pane: number): string {
  const figure = value < 0.05 ? "0" : decimal(value.toFixed(value < 100 ? 1 : 0));
  return withUnit(figure, microscopes[pane]!.manifest.mpp ? "µm" : "px");
}

/** The same of level-0 pixels. */
export function lengthOf(pixels: number, comparison: Comparison, pane: number): string {
  return lengthLabel(pixels * (comparison.microscopes[pane]!.manifest.mpp?.x ?? 1), comparison, pane);
}
