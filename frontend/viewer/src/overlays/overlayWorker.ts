/** The worker of overlays: decoded tiles, pictures of them, and what lies where. Which tiles it has, the page decides. */
import { CorruptError } from "@wavescope/core/wire/http/errors";
import { histogramOf, hitAt, nextByScore, sumsIn } from "@wavescope/core/overlays/hits";
import { placeOf } from "@wavescope/core/overlays/plan";
import { type OverlayTile, bytesOf, decodeTile } from "@wavescope/core/overlays/tile";
import { CanvasPainter } from "./paint/canvasPainter";
import type { Painter } from "./paint/painter";
import { WebglPainter } from "./paint/webglPainter";
import type { Answers, FromWorker, Kind, PainterChoice, Requests, ToWorker } from "./protocol";

/** A worker's own scope, not a window's. */
declare const self: {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

const overlays = new Map<number, Map<string, OverlayTile>>();
let painter: Painter | null = null;
let choice: PainterChoice = "auto";

const tilesOf = (overlay: number): Map<string, OverlayTile> => {
  const tiles = overlays.get(overlay) ?? new Map<string, OverlayTile>();
  overlays.set(overlay, tiles);
  return tiles;
};
const reader = (overlay: number) => (key: string) => overlays.get(overlay)?.get(key);

const openPainter = (): Painter =>
  (choice === "canvas" ? null : WebglPainter.open(choice === "webgl")) ?? new CanvasPainter();

type Work = { [K in Kind]: (request: Requests[K]) => Answers[K] | Promise<Answers[K]> };

const work: Work = {
  async tile({ overlay, key, member, scored, counts }) {
    try {
      const tile = await decodeTile(member, placeOf(key), scored);
      tilesOf(overlay).set(key, tile);
      return { bytes: bytesOf(tile), counts: counts ? tile.counts : null };
    } catch (error) {
      if (error instanceof CorruptError) return { bytes: null, counts: null };
      throw error;
    }
  },
  forget({ overlay, key }) {
    const tile = overlays.get(overlay)?.get(key);
    if (tile) painter?.forget(tile);
    overlays.get(overlay)?.delete(key);
    return null;
  },
  async paint({ overlay, scene }) {
    const begin = performance.now();
    if (painter instanceof WebglPainter && painter.isLost) painter = null; // it is, when a laptop sleeps
    painter ??= openPainter();
    const bitmap = await painter.paint(scene, reader(overlay));
    const kind = painter instanceof WebglPainter ? "webgl" : "canvas";
    return { bitmap, painter: kind, milliseconds: performance.now() - begin };
  },
  hit: ({ overlay, drawn, at, reach, style }) => hitAt(drawn, reader(overlay), at, reach, style),
  sums: ({ overlay, drawn, ring, style }) => sumsIn(drawn, reader(overlay), ring, style),
  histogram: ({ overlay, drawn, style }) => histogramOf(drawn, reader(overlay), style.shown),
  next: ({ overlay, drawn, box, from, by, style }) => nextByScore(drawn, reader(overlay), box, from, by, style),
  close({ overlay }) {
    for (const tile of overlays.get(overlay)?.values() ?? []) painter?.forget(tile);
    overlays.delete(overlay);
    return null;
  },
  painter(request) {
    choice = request.choice;
    painter?.close();
    painter = null;
    return null;
  },
};

self.onmessage = ({ data }) => void answer(data);

async function answer({ id, kind, ...request }: ToWorker): Promise<void> {
  try {
    const made = await (work[kind] as (request: unknown) => Answers[Kind] | Promise<Answers[Kind]>)(request);
    const bitmap = kind === "paint" ? (made as Answers["paint"]).bitmap : null;
    self.postMessage({ id, answer: made }, bitmap ? [bitmap] : []);
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
}
