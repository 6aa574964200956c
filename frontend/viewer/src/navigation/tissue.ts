/** Where a slide has tissue, in coarse cells (CV1): pure, but for the picture that it is read from. */
import type { Size } from "@wavescope/core/geometry/pyramid";
import type { Microscope } from "../core/microscope";

/** Cells of equal size over the whole slide, row after row. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  /** Level-0 pixels of a cell. */
  readonly l0_width: number;
  readonly l0_height: number;
}

export interface TissueMask extends CellGrid {
  /** 1: tissue. */
  readonly cells: Uint8Array;
  /** Cells with tissue. */
  readonly count: number;
}

/** Cells along the longer side: the thumbnail has at least as many pixels. */
const LONGEST = 512;
/** Tissue absorbs so much of the light of some channel: the least and the most that Otsu's threshold may be, as a decadic absorbance. */
const LEAST = 0.05;
const MOST = 0.2;
/** Darker in all channels is where a scanner has no picture. */
const BLACK = 12;
/** Glass is as bright as this part of all cells is at most. */
const BRIGHT = 0.98;
/** A scan without glass is all tissue: its brightest cells are darker than glass ever is. */
const DIM_GLASS = 160;

export function gridOf({ width, height }: Size): CellGrid {
  const cell = Math.max(1, Math.max(width, height) / LONGEST);
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  return { columns, rows, l0_width: width / columns, l0_height: height / rows };
}

/** `rgba`: a pixel for each cell. `dark`: fluorescence, where tissue is what shines. A single cell among empty ones is dust. */
export function tissueMask(grid: CellGrid, rgba: Uint8ClampedArray, dark: boolean): TissueMask {
  const strength = dark ? shining(rgba) : absorbing(rgba);
  const threshold = dark ? otsu(strength) : Math.min(MOST, Math.max(LEAST, otsu(strength)));
  const raw = Uint8Array.from(strength, (value) => Number(value > threshold));
  const cells = raw.map((one, i) => Number(one === 1 && hasNeighbour(raw, grid, i)));
  return { ...grid, cells, count: cells.reduce((sum, one) => sum + one, 0) };
}

/** The largest decadic absorbance of a channel, against the brightest of the slide; 0 where there is no picture. */
function absorbing(rgba: Uint8ClampedArray): Float32Array {
  const white = [0, 1, 2].map((c) => {
    const sorted = channelOf(rgba, c).sort();
    const bright = sorted[Math.floor(BRIGHT * (sorted.length - 1))] ?? 255;
    return bright < DIM_GLASS ? 255 : bright;
  });
  return Float32Array.from({ length: rgba.length / 4 }, (_, i) => {
    const rgb = rgba.subarray(4 * i, 4 * i + 3);
    if (Math.max(...rgb) < BLACK) return 0;
    return Math.max(...rgb.map((value, c) => 100 * Math.max(0, Math.log10(white[c]! / Math.max(1, value))))) / 100;
  });
}

function shining(rgba: Uint8ClampedArray): Float32Array {
  return Float32Array.from({ length: rgba.length / 4 }, (_, i) =>
    Math.log2(1 + Math.max(...rgba.subarray(4 * i, 4 * i + 3))),
  );
}

function channelOf(rgba: Uint8ClampedArray, c: number): Uint8Array {
  return Uint8Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i + c]!);
}

/** The threshold that divides the values best into two groups (N. Otsu, IEEE Trans. SMC 9, 1979), of 256 steps. */
export function otsu(values: Float32Array): number {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return 0;
  const histogram = new Uint32Array(256);
  for (const value of values) histogram[Math.min(255, Math.floor((256 * value) / most))]! += 1;
  const all = histogram.reduce((sum, count, i) => sum + count * i, 0);
  let [best, between, below, sum] = [0, -1, 0, 0];
  histogram.forEach((count, i) => {
    below += count;
    sum += count * i;
    const above = values.length - below;
    if (below === 0 || above === 0) return;
    const variance = below * above * (sum / below - (all - sum) / above) ** 2;
    if (variance > between) [best, between] = [i, variance];
  });
  return ((best + 1) * most) / 256;
}

function hasNeighbour(cells: Uint8Array, { columns, rows }: CellGrid, i: number): boolean {
  const [x, y] = [i % columns, Math.floor(i / columns)];
  for (let v = Math.max(0, y - 1); v <= Math.min(rows - 1, y + 1); v++)
    for (let u = Math.max(0, x - 1); u <= Math.min(columns - 1, x + 1); u++)
      if ((u !== x || v !== y) && cells[v * columns + u] === 1) return true;
  return false;
}

const masks = new WeakMap<Microscope, Promise<TissueMask>>();

/** Of the slide's thumbnail, which the page has already: nothing is fetched for it. */
export function tissueOf(microscope: Microscope): Promise<TissueMask> {
  let mask = masks.get(microscope);
  if (!mask) masks.set(microscope, (mask = read(microscope)));
  return mask;
}

async function read({ pyramid, thumbnail, manifest }: Microscope): Promise<TissueMask> {
  const image = new Image();
  image.src = thumbnail;
  await image.decode();
  const grid = gridOf(pyramid);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [grid.columns, grid.rows];
  const pen = canvas.getContext("2d", { willReadFrequently: true })!;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, grid.columns, grid.rows);
  return tissueMask(grid, pen.getImageData(0, 0, grid.columns, grid.rows).data, Boolean(manifest.groups));
}
