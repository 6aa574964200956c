/** What the samples of rasters are: colours, values, and what lies where (overlays.md, OV70 to OV72). Pure. */
import type { RasterHit } from "./hits";
import { type Drawn, placeOf } from "./plan";
import type { RasterInfo, RasterTile } from "./rasterTile";
import type { StyleTables } from "./style";
import { sideOf } from "./tile";

const SAMPLES = 65_536;
const SCORES = 255;
const OPAQUE = 0xff000000;

type RasterAt = (key: string) => RasterTile | undefined;

/** Of each sample its colour as 0xAABBGGRR; 0: it is not shown. */
export function coloursOf(raster: RasterInfo, style: StyleTables): Uint32Array<ArrayBuffer> {
  const colours = new Uint32Array(SAMPLES);
  if (raster.kind === "values") {
    for (let sample = 1; sample <= raster.last; sample += 1) {
      const score = scoreOfSample(raster, sample);
      if (score >= style.least && score <= style.most)
        colours[sample] = (OPAQUE | (style.byScore ?? style.byClass)[Math.round(score)]!) >>> 0;
    }
    return colours;
  }
  raster.labels.forEach((label, of) => {
    if (style.shown[of]) colours[label] = (OPAQUE | style.byClass[of]!) >>> 0;
  });
  if (raster.labels.length === 0 && style.shown[0])
    for (let label = 1; label <= raster.last; label += 1) colours[label] = (OPAQUE | colourOfLabel(label)) >>> 0;
  return colours;
}

/** Where a sample lies between the least and the most value: 0 to 255, not rounded. */
export const scoreOfSample = ({ last }: RasterInfo, sample: number): number =>
  (SCORES * (sample - 1)) / Math.max(1, last - 1);

/** As 0xBBGGRR: a hue a golden angle from that of the label before; every third label is darker, every third lighter. */
export function colourOfLabel(label: number): number {
  const hue = ((label * 0.618033988749895) % 1) * 6;
  const [most, least] = (
    [
      [230, 40],
      [170, 20],
      [250, 120],
    ] as const
  )[label % 3]!;
  const part = Math.floor(most - (most - least) * Math.abs((hue % 2) - 1) + 0.5);
  const sectors = [
    [most, part, least],
    [part, most, least],
    [least, most, part],
    [least, part, most],
    [part, least, most],
    [most, least, part],
  ];
  const [red, green, blue] = sectors[Math.floor(hue) % 6] as [number, number, number];
  return (blue << 16) | (green << 8) | red;
}

/** The sample at a point, in pixels of the raster, of what is drawn there and shown. */
export function rasterAt(
  raster: RasterInfo,
  drawn: readonly Drawn[],
  tileAt: RasterAt,
  [x, y]: readonly [number, number],
  style: StyleTables,
): RasterHit | null {
  if (x < 0 || y < 0 || x >= raster.width || y >= raster.height) return null;
  for (const { key, window } of drawn) {
    const tile = tileAt(key);
    const place = placeOf(key);
    const side = sideOf(place.level);
    const isIn = window
      ? x >= window.minX && x < window.maxX && y >= window.minY && y < window.maxY
      : Math.floor(x / side) === place.x && Math.floor(y / side) === place.y;
    if (!tile || !isIn) continue;
    const [column, row] = [x - place.x * side, y - place.y * side].map((at) => Math.floor(at / 2 ** place.level));
    const sample = tile.samples[row! * tile.width + column!]!;
    if (sample === 0 || coloursOf(raster, style)[sample] === 0) return null;
    return { kind: "sample", sample, of: classOf(raster, sample), level: place.level };
  }
  return null;
}

/** The class of a label; null: it has none of its own. */
function classOf({ kind, labels }: RasterInfo, sample: number): number | null {
  const of = kind === "labels" ? labels.indexOf(sample) : -1;
  return of < 0 ? null : of;
}

/** How many samples that are drawn lie in each of 256 parts of the values; null for labels, and where none is. */
export function rasterHistogram(raster: RasterInfo, drawn: readonly Drawn[], tileAt: RasterAt): Uint32Array | null {
  if (raster.kind === "labels") return null;
  const bins = new Uint32Array(SCORES + 1);
  let any = false;
  for (const { key, window } of drawn)
    for (const sample of (!window && tileAt(key)?.samples) || []) {
      if (sample === 0) continue;
      any = true;
      bins[Math.round(scoreOfSample(raster, sample))]! += 1;
    }
  return any ? bins : null;
}
