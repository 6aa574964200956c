/** Draws a raster on the processor: each pixel of the picture has the sample in which its middle lies (overlays.md, OV69). Pure, but for the picture. */
import type { Box } from "@wavescope/core/geometry/shape";
import { type Drawn, placeOf, windowOf } from "@wavescope/core/overlays/plan";
import { coloursOf } from "@wavescope/core/overlays/rasterSamples";
import type { RasterInfo, RasterTile } from "@wavescope/core/overlays/rasterTile";
import { type Matrix, inverse, onCanvas } from "../../annotate/paint/matrix";
import type { Bitmap } from "../../annotate/paint/raster";
import type { Scene } from "./painter";

type RasterAt = (key: string) => RasterTile | undefined;

/** The picture of a scene. */
export function rasterPicture(raster: RasterInfo, scene: Scene, tileAt: RasterAt): Promise<ImageBitmap> {
  const { width, height } = scene;
  const picture = new ImageData(width, height);
  paintRaster({ words: new Uint32Array(picture.data.buffer), width, height }, raster, scene, tileAt);
  return createImageBitmap(picture);
}

/** Draws a scene over what the bitmap holds. */
export function paintRaster(bitmap: Bitmap, raster: RasterInfo, scene: Scene, tileAt: RasterAt): void {
  const colours = coloursOf(raster, scene.style);
  for (const drawn of scene.drawn) {
    const tile = tileAt(drawn.key);
    if (tile) paintTile(bitmap, tile, drawn, within(drawn, raster), scene.matrix, colours);
  }
}

/** The part of the raster that is drawn. */
function within({ key, window }: Drawn, { width, height }: RasterInfo): Box {
  const { minX, minY, maxX, maxY } = window ?? windowOf(placeOf(key));
  return { minX, minY, maxX: Math.min(width, maxX), maxY: Math.min(height, maxY) };
}

function paintTile(
  { words, width, height }: Bitmap,
  { samples, width: columns }: RasterTile,
  { key }: Drawn,
  box: Box,
  matrix: Matrix,
  colours: Uint32Array,
): void {
  const { level } = placeOf(key);
  const { minX: beginX, minY: beginY } = windowOf(placeOf(key));
  const back = inverse(matrix);
  const to = pictureBox(box, matrix, width, height);
  const side = 2 ** level;
  for (let row = to.minY; row < to.maxY; row += 1) {
    let x = back.a * (to.minX + 0.5) + back.c * (row + 0.5) + back.e;
    let y = back.b * (to.minX + 0.5) + back.d * (row + 0.5) + back.f;
    for (let at = row * width + to.minX, end = row * width + to.maxX; at < end; at += 1, x += back.a, y += back.b) {
      if (x < box.minX || x >= box.maxX || y < box.minY || y >= box.maxY) continue;
      const sample = samples[Math.floor((y - beginY) / side) * columns + Math.floor((x - beginX) / side)]!;
      words[at] = colours[sample]!;
    }
  }
}

/** The pixels of the picture in which a box may lie. */
function pictureBox({ minX, minY, maxX, maxY }: Box, matrix: Matrix, width: number, height: number): Box {
  const points = [
    onCanvas(matrix, minX, minY),
    onCanvas(matrix, maxX, minY),
    onCanvas(matrix, minX, maxY),
    onCanvas(matrix, maxX, maxY),
  ];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    minX: Math.max(0, Math.floor(Math.min(...xs))),
    minY: Math.max(0, Math.floor(Math.min(...ys))),
    maxX: Math.min(width, Math.ceil(Math.max(...xs))),
    maxY: Math.min(height, Math.ceil(Math.max(...ys))),
  };
}
