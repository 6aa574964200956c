/** What overlays say in words. Pure. */
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { Hit, RegionSums } from "@wavescope/core/overlays/hits";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { areaLabel } from "@wavescope/viewer/annotate/draw/labels";
import { scoreOf } from "@wavescope/viewer/overlays/settings";

type Mpp = Manifest["mpp"];

/** With as many digits as 255 steps between the ends have. */
export function scoreLabel(value: number, { least, most }: NonNullable<OverlayInfo["score"]>): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(most - least, Number.MIN_VALUE))));
  return value.toFixed(Math.min(6, digits));
}

export const className = (info: OverlayInfo, of: number): string =>
  info.classes[of]?.name || t("overlays.unnamedClass");

/** Square pixels in the unit of the slide. */
export const areaText = (pixels: number, mpp: Mpp): string =>
  areaLabel(mpp ? pixels * mpp.x * mpp.y : pixels, mpp !== null);

/** Lines that say what lies at a point. */
export function hitLines(info: OverlayInfo, hit: Hit, mpp: Mpp): string[] {
  if (hit.kind === "square")
    return hit.classes.map(({ of, shapes }) => `${className(info, of)}: ${groupedNumber(shapes)}`);
  const lines = [className(info, hit.of)];
  if (info.score)
    lines.push(t("overlays.score", { name: info.score.name, score: scoreLabel(scoreOf(info, hit.score), info.score) }));
  if (hit.area > 0) lines.push(t("overlays.area", { area: areaText(hit.area, mpp) }));
  return lines;
}

export interface CountLine {
  readonly name: string;
  readonly count: number;
  /** Per square millimetre; null where the size of a pixel is not known. */
  readonly density: number | null;
  /** In the unit of the source; null without scores. */
  readonly mean: number | null;
}

/** The sums of a region, by class and in all. */
export function countLines(info: OverlayInfo, { classes, area }: RegionSums, mpp: Mpp): CountLine[] {
  const square = mpp && area > 0 ? (area * mpp.x * mpp.y) / 1e6 : null;
  const line = (name: string, count: number, scores: number): CountLine => ({
    name,
    count,
    density: square === null ? null : count / square,
    mean: info.score && count > 0 ? scoreOf(info, scores / count) : null,
  });
  const sum = (of: "shapes" | "scores"): number => classes.reduce((all, one) => all + one[of], 0);
  return [
    ...classes.map(({ of, shapes, scores }) => line(className(info, of), shapes, scores)),
    line(t("overlays.total"), sum("shapes"), sum("scores")),
  ];
}
