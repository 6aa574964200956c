import { describe, expect, it } from "vitest";
import { type ShapeHit, histogramOf, hitAt, nextByScore, sumsIn } from "./hits";
import type { Drawn } from "./plan";
import { type Style, tablesOf } from "./style";
import type { OverlayTile } from "./tile";

const style: Style = {
  hidden: new Set(),
  colors: ["FF0000", "00FF00"],
  byScore: false,
  map: "viridis",
  from: 0,
  to: 255,
  least: 0,
  most: 255,
  fill: 0.2,
};
const all = tablesOf(style);

/** Outlines of rings in pixels from the tile's beginning, a shape each unless `together`. */
function outlined(rings: number[][], classes: number[], scores: number[], together = false): OverlayTile["outlines"] {
  const sizes = rings.map((ring) => ring.length / 2);
  const ringEnds = Uint32Array.from(sizes, (_, i) => sizes.slice(0, i + 1).reduce((a, b) => a + b));
  return {
    corners: Int32Array.from(rings.flat(), (value) => 4 * value),
    ringEnds,
    shapeEnds: together ? Uint32Array.of(rings.length) : Uint32Array.from(rings, (_, i) => i + 1),
    classes: Uint8Array.from(classes),
    scores: Uint8Array.from(scores),
  };
}

const square = (x: number, y: number, side: number): number[] => [x, y, x + side, y, x + side, y + side, x, y + side];

const cells: OverlayTile = {
  outlines: outlined(
    [square(0, 0, 100), square(10, 10, 20), [200, 200], [300, 300, 340, 300]],
    [0, 1, 0, 1],
    [9, 80, 90, 250],
  ),
  symbols: null,
  counts: null,
};
const drawnCells: readonly Drawn[] = [{ key: "0/1/2", part: "outlines", window: null }];
const cellsAt = (key: string) => (key === "0/1/2" ? cells : undefined);
const at = (x: number, y: number) => [512 + x, 1024 + y] as const;

describe("a shape under the pointer", () => {
  it("OV50: is the smallest that contains it, with class, score, area and outline", () => {
    expect(hitAt(drawnCells, cellsAt, at(15, 15), 2, all)).toEqual({
      kind: "shape",
      of: 1,
      score: 80,
      area: 400,
      middle: at(20, 20),
      rings: [[...at(10, 10), ...at(30, 10), ...at(30, 30), ...at(10, 30)]],
    });
    expect(hitAt(drawnCells, cellsAt, at(50, 50), 2, all)).toMatchObject({ of: 0, area: 10_000 });
    expect(hitAt(drawnCells, cellsAt, at(150, 50), 2, all)).toBeNull();
  });

  it("OV50: may be a point or line that is missed by a little", () => {
    expect(hitAt(drawnCells, cellsAt, at(201, 201), 2, all)).toMatchObject({ score: 90 });
    expect(hitAt(drawnCells, cellsAt, at(203, 201), 2, all)).toBeNull();
    expect(hitAt(drawnCells, cellsAt, at(320, 301.5), 2, all)).toMatchObject({ score: 250 });
  });

  it("OV46: is none that is hidden or beyond the threshold", () => {
    expect(hitAt(drawnCells, cellsAt, at(15, 15), 2, tablesOf({ ...style, hidden: new Set([1]) }))).toMatchObject({
      of: 0,
    });
    expect(hitAt(drawnCells, cellsAt, at(15, 15), 2, tablesOf({ ...style, least: 81 }))).toBeNull();
  });

  it("OV1: is not in its holes", () => {
    const ringed: OverlayTile = {
      ...cells,
      outlines: outlined([square(0, 0, 100), square(20, 20, 50)], [0], [0], true),
    };
    expect(hitAt(drawnCells, () => ringed, at(30, 30), 0, all)).toBeNull();
    expect(hitAt(drawnCells, () => ringed, at(10, 30), 0, all)).toMatchObject({ area: 7500 });
  });

  it("OV50: is an ellipse where symbols are drawn", () => {
    const symbols = {
      middles: Int32Array.of(100, 100),
      long: Uint32Array.of(40),
      short: Uint32Array.of(10),
      turns: Uint8Array.of(8),
      classes: Uint8Array.of(1),
      scores: Uint8Array.of(3),
    };
    const drawn: Drawn[] = [{ key: "2/0/0", part: "symbols", window: null }];
    const tile = (): OverlayTile => ({ ...cells, symbols });
    expect(hitAt(drawn, tile, [100, 118], 0, all)).toMatchObject({ of: 1, score: 3, middle: [100, 100], rings: [] });
    expect(hitAt(drawn, tile, [118, 100], 0, all)).toBeNull();
  });
});

const counts = [{ of: 1, shapes: new Uint32Array(1024), scores: new Float64Array(1024) }];
counts[0]!.shapes[33] = 7;
counts[0]!.scores[33] = 700;
const counted: OverlayTile = { outlines: outlined([], [], []), symbols: null, counts };
const drawnCounts: readonly Drawn[] = [{ key: "3/0/0", part: "counts", window: null }];

describe("counts", () => {
  it("OV50: under the pointer are those of the square", () => {
    expect(hitAt(drawnCounts, () => counted, [130, 140], 0, all)).toEqual({
      kind: "square",
      box: { minX: 128, minY: 128, maxX: 256, maxY: 256 },
      classes: [{ of: 1, shapes: 7, scores: 700 }],
    });
    expect(hitAt(drawnCounts, () => counted, [10, 10], 0, all)).toBeNull();
  });

  it("OV51: in a region are whole squares", () => {
    const sums = sumsIn(drawnCounts, () => counted, square(100, 100, 130), all);
    expect(sums).toEqual({ classes: [{ of: 1, shapes: 7, scores: 700 }], area: 128 ** 2, exact: false });
  });

  it("OV42: are those of the window of a coarser tile alone", () => {
    const window = { minX: 0, minY: 0, maxX: 128, maxY: 128 };
    const drawn: Drawn[] = [{ key: "3/0/0", part: "counts", window }];
    expect(hitAt(drawn, () => counted, [130, 140], 0, all)).toBeNull();
    expect(sumsIn(drawn, () => counted, square(0, 0, 300), all)).toMatchObject({ classes: [], area: 128 ** 2 });
  });
});

describe("a region", () => {
  it("OV51: has the shapes whose middle it contains", () => {
    const sums = sumsIn(drawnCells, cellsAt, square(512 + 5, 1024 + 5, 200), all);
    expect(sums).toEqual({
      classes: [
        { of: 0, shapes: 2, scores: 99 },
        { of: 1, shapes: 1, scores: 80 },
      ],
      area: 40_000,
      exact: true,
    });
  });
});

it("OV47: a histogram has the scores of what is drawn, of classes that are shown", () => {
  const bins = histogramOf(drawnCells, cellsAt, all.shown)!;
  expect([9, 80, 90, 250].map((score) => bins[score])).toEqual([1, 1, 1, 1]);
  expect(histogramOf(drawnCounts, () => counted, all.shown)).toBeNull();
});

describe("review by score", () => {
  const box = { minX: 512, minY: 1024, maxX: 1024, maxY: 1536 };
  const next = (from: ShapeHit | null, by: 1 | -1, tables = all, within = box): ShapeHit | null =>
    nextByScore(drawnCells, cellsAt, within, from, by, tables);

  it("OV53: goes from score to score of what is shown in the view", () => {
    const scores: number[] = [];
    for (let at = next(null, 1); at; at = next(at, 1)) scores.push(at.score);
    expect(scores).toEqual([9, 80, 90, 250]);
    expect(next(null, -1)).toMatchObject({ score: 250 });
    expect(next(next(null, -1), -1)).toMatchObject({ score: 90 });
    expect(next(null, -1, tablesOf({ ...style, hidden: new Set([1]) }))).toMatchObject({ score: 90 });
    expect(next(null, -1, all, { ...box, maxX: 512 + 150 })).toMatchObject({ score: 80, area: 400 });
  });

  it("OV53: knows no single objects where counts are drawn", () => {
    expect(nextByScore(drawnCounts, () => counted, box, null, 1, all)).toBeNull();
  });
});
