/** The worker of overlays: decoded tiles, pictures of them, and what lies where. Which tiles it has, the page decides. */
import { CorruptError, isAbort } from "@wavescope/core/wire/http/errors";
import { bytesAtOnce } from "@wavescope/core/wire/http/http";
import { histogramOf, hitAt, nextByScore, sumsIn } from "@wavescope/core/overlays/hits";
import { placeOf } from "@wavescope/core/overlays/plan";
import { type OverlayTile, bytesOf, decodeTile } from "@wavescope/core/overlays/tile";
import { rasterAt, rasterHistogram } from "@wavescope/core/overlays/rasterSamples";
import { type RasterTile, decodeRaster } from "@wavescope/core/overlays/rasterTile";
import { CanvasPainter } from "./paint/canvasPainter";
import type { Painter } from "./paint/painter";
import { rasterPicture } from "./paint/rasterPainter";
import { WebglPainter } from "./paint/webglPainter";
import type { Answers, FromWorker, Kind, PainterChoice, Requests, ToWorker } from "./protocol";

/** A worker's own scope, not a window's. */
declare const self: {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

const overlays = new Map<number, Map<string, OverlayTile>>();
const rasters = new Map<number, Map<string, RasterTile>>();
let painter: Painter | null = null;
let choice: PainterChoice = "auto";

function storeOf<T>(all: Map<number, Map<string, T>>, overlay: number): Map<string, T> {
  const tiles = all.get(overlay) ?? new Map<string, T>();
  all.set(overlay, tiles);
  return tiles;
}
const reader = (overlay: number) => (key: string) => overlays.get(overlay)?.get(key);
const rasterReader = (overlay: number) => (key: string) => rasters.get(overlay)?.get(key);

const openPainter = (): Painter =>
  (choice === "canvas" ? null : WebglPainter.open(choice === "webgl")) ?? new CanvasPainter();

type Work = { [K in Kind]: (request: Requests[K], signal: AbortSignal) => Answers[K] | Promise<Answers[K]> };
/** Requests that are not answered yet. */
const running = new Map<number, AbortController>();

const work: Work = {
  async tile({ overlay, raster, key, from, scored, counts }, signal) {
    const member = typeof from === "string" ? await bytesAtOnce(from, signal) : from;
    const received = member?.length;
    if (!received) return received === 0 ? { received, bytes: 0, counts: null } : null;
    try {
      if (raster) {
        const tile = await decodeRaster(member, raster, placeOf(key));
        storeOf(rasters, overlay).set(key, tile);
        return { received, bytes: tile.samples.byteLength, counts: null };
      }
      const tile = await decodeTile(member, placeOf(key), scored);
      storeOf(overlays, overlay).set(key, tile);
      return { received, bytes: bytesOf(tile), counts: counts ? tile.counts : null };
    } catch (error) {
      if (error instanceof CorruptError) return { received, bytes: null, counts: null };
      throw error;
    }
  },
  forget({ overlay, key }) {
    const tile = overlays.get(overlay)?.get(key);
    if (tile) painter?.forget(tile);
    overlays.get(overlay)?.delete(key);
    rasters.get(overlay)?.delete(key);
    return null;
  },
  async paint({ overlay, raster, scene }) {
    const begin = performance.now();
    if (raster) {
      const bitmap = await rasterPicture(raster, scene, rasterReader(overlay));
      return { bitmap, painter: "canvas", milliseconds: performance.now() - begin };
    }
    if (painter instanceof WebglPainter && painter.isLost) painter = null; // it is, when a laptop sleeps
    painter ??= openPainter();
    const bitmap = await painter.paint(scene, reader(overlay));
    const kind = painter instanceof WebglPainter ? "webgl" : "canvas";
    return { bitmap, painter: kind, milliseconds: performance.now() - begin };
  },
  hit: ({ overlay, raster, drawn, at, reach, style }) =>
    raster
      ? rasterAt(raster, drawn, rasterReader(overlay), at, style)
      : hitAt(drawn, reader(overlay), at, reach, style),
  sums: ({ overlay, drawn, ring, style }) => sumsIn(drawn, reader(overlay), ring, style),
  histogram: ({ overlay, raster, drawn, style }) =>
    raster ? rasterHistogram(raster, drawn, rasterReader(overlay)) : histogramOf(drawn, reader(overlay), style.shown),
  next: ({ overlay, drawn, box, from, by, style }) => nextByScore(drawn, reader(overlay), box, from, by, style),
  close({ overlay }) {
    for (const tile of overlays.get(overlay)?.values() ?? []) painter?.forget(tile);
    overlays.delete(overlay);
    rasters.delete(overlay);
    return null;
  },
  painter(request) {
    choice = request.choice;
    painter?.close();
    painter = null;
    return null;
  },
};

self.onmessage = ({ data }) => (data.kind === "cancel" ? running.get(data.id)?.abort() : void answer(data));

async function answer({ id, kind, ...request }: Exclude<ToWorker, { readonly kind: "cancel" }>): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  type AnyWork = (request: unknown, signal: AbortSignal) => Answers[Kind] | Promise<Answers[Kind]>;
  try {
    const made = await (work[kind] as AnyWork)(request, control.signal);
    const bitmap = kind === "paint" ? (made as Answers["paint"]).bitmap : null;
    self.postMessage({ id, answer: made }, bitmap ? [bitmap] : []);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    self.postMessage({ id, failure, cancelled: isAbort(error) });
  } finally {
    running.delete(id);
  }
}
