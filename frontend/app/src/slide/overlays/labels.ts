/** What overlays say in words. Pure. */
import { decimal, groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { Hit, RasterHit, RegionSums } from "@wavescope/core/overlays/hits";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { areaLabel } from "@wavescope/viewer/annotate/draw/labels";
import { scoreOf } from "@wavescope/viewer/overlays/settings";

type Mpp = Manifest["mpp"];

/** With as many digits as 255 steps between the ends have. */
export function scoreLabel(value: number, { least, most }: NonNullable<OverlayInfo["score"]>): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(most - least, Number.MIN_VALUE))));
  return decimal(value.toFixed(Math.min(6, digits)));
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
  if (hit.kind === "sample") return sampleLines(info, hit);
  const lines = [className(info, hit.of)];
  if (info.score)
    lines.push(t("overlays.score", { name: info.score.name, score: scoreLabel(scoreOf(info, hit.score), info.score) }));
  if (hit.area > 0) lines.push(t("overlays.area", { area: areaText(hit.area, mpp) }));
  return lines;
}

function sampleLines(info: OverlayInfo, hit: RasterHit): string[] {
  const { raster, score } = info;
  if (!score) return [hit.of === null ? t("overlays.label", { label: String(hit.sample) }) : className(info, hit.of)];
  const value = score.least + ((hit.sample - 1) * (score.most - score.least)) / Math.max(1, raster!.last - 1);
  const text = raster!.exact && hit.level === 0 ? decimal(value) : decimal(Number(value.toPrecision(4)));
  const lines = [score.name ? t("overlays.score", { name: score.name, score: text }) : text];
  return hit.level === 0 ? lines : [...lines, t("overlays.meanOf", { side: 2 ** hit.level })];
}

/** What a raster is, and how many pixels it has. */
export const rasterText = ({ kind, width, height }: NonNullable<OverlayInfo["raster"]>): string =>
  t(kind === "values" ? "overlays.rasterValues" : "overlays.rasterLabels", {
    width: groupedNumber(width),
    height: groupedNumber(height),
  });

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
