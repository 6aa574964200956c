/** What a wanted rectangle becomes when it is exported: pure arithmetic. */
import type { Region } from "@wavescope/core/geometry/field";
import type { Pyramid } from "@wavescope/core/geometry/pyramid";
import type { ExportFormat, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import { sizeLabel } from "../../ui/format";
import { t } from "@wavescope/core/i18n/i18n";

/** A TIFF begins at such pixels of its level, so that six coarser levels begin there too. */
const TIFF_STEP = 64;
/** What the service makes of PNG and JPEG, in pixels. */
export const PICTURE_PIXELS = 64 * 2 ** 20;

export const FORMATS: readonly { readonly value: ExportFormat; readonly label: string }[] = [
  { value: "png", label: t("exporting.png") },
  { value: "jpg", label: t("exporting.jpeg") },
  { value: "tiff", label: t("exporting.tiff") },
  { value: "tiff-jpeg", label: t("exporting.tiffJpeg") },
];

/** The resolutions that a slide can be exported in, for a list to choose from. */
export function levelsOf(pyramid: Pyramid): { value: string; label: string }[] {
  return Array.from({ length: pyramid.top + 1 }, (_, n) => {
    const { width, height } = pyramid.levelSize(n);
    const level = n === 0 ? t("exporting.fullResolution") : `1 : ${2 ** n}`;
    return { value: String(n), label: t("exporting.level", { level, size: sizeLabel(width, height) }) };
  });
}

/** The part of the slide that the rectangle touches, in whole pixels of the level; null if it touches none. */
export function requestFor(
  pyramid: Pyramid,
  wanted: Region,
  level: number,
  z: number,
  format: ExportFormat,
): ExportRequest | null {
  const scale = 2 ** level;
  const step = format.startsWith("tiff") ? TIFF_STEP : 1;
  const size = pyramid.levelSize(level);
  const [left, right] = span(wanted.l0_x, wanted.l0_width, scale, step, size.width);
  const [top, bottom] = span(wanted.l0_y, wanted.l0_height, scale, step, size.height);
  if (!(right > left && bottom > top)) return null;
  return { x: left * scale, y: top * scale, width: right - left, height: bottom - top, level, z, format };
}

function span(l0_start: number, l0_length: number, scale: number, step: number, end: number): [number, number] {
  const first = Math.max(0, Math.floor(l0_start / scale));
  return [Math.floor(first / step) * step, Math.min(end, Math.ceil((l0_start + l0_length) / scale))];
}

/** The rectangle around points of the picture. */
export function boundingRegion(points: readonly { readonly l0_x: number; readonly l0_y: number }[]): Region {
  const xs = points.map(({ l0_x }) => l0_x);
  const ys = points.map(({ l0_y }) => l0_y);
  const [l0_x, l0_y] = [Math.min(...xs), Math.min(...ys)];
  return { l0_x, l0_y, l0_width: Math.max(...xs) - l0_x, l0_height: Math.max(...ys) - l0_y };
}
