import { describe, expect, it } from "vitest";
import type { Drawn } from "@wavescope/core/overlays/plan";
import { type Style, tablesOf } from "@wavescope/core/overlays/style";
import type { OverlayTile } from "@wavescope/core/overlays/tile";
import type { Scene } from "./painter";
import { paintScene } from "./raster";

const SIZE = 64;
const style: Style = {
  hidden: new Set(),
  colors: ["FF0000", "0000FF"],
  byScore: false,
  map: "viridis",
  from: 0,
  to: 255,
  least: 0,
  most: 255,
  fill: 0.5,
};

const square = (x: number, y: number, side: number): number[] => [x, y, x + side, y, x + side, y + side, x, y + side];

/** One shape of rings in pixels. */
function outlined(rings: number[][]): OverlayTile["outlines"] {
  let corners = 0;
  return {
    corners: Int32Array.from(rings.flat(), (value) => 4 * value),
    ringEnds: Uint32Array.from(rings, (ring) => (corners += ring.length / 2)),
    shapeEnds: Uint32Array.of(rings.length),
    classes: Uint8Array.of(0),
    scores: Uint8Array.of(100),
  };
}

const nothing = {
  corners: new Int32Array(),
  ringEnds: new Uint32Array(),
  shapeEnds: new Uint32Array(),
  classes: new Uint8Array(),
  scores: new Uint8Array(),
};

/** 0xAABBGGRR of a pixel of a tile that is drawn at 1:1 from its beginning; `change`: of the scene. */
function painted(
  tile: Partial<OverlayTile>,
  part: Drawn["part"],
  change: Partial<Scene> = {},
): (x: number, y: number) => string {
  const words = new Uint32Array(SIZE * SIZE);
  const scene: Scene = {
    drawn: [{ key: part === "counts" ? "3/0/0" : "0/0/0", part, window: null }],
    matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
    width: SIZE,
    height: SIZE,
    ratio: 1,
    style: tablesOf(style),
    density: 1,
    ...change,
  };
  const whole: OverlayTile = { outlines: nothing, symbols: null, counts: null, ...tile };
  paintScene({ words, width: SIZE, height: SIZE }, scene, () => whole);
  return (x, y) => words[y * SIZE + x]!.toString(16).padStart(8, "0");
}

describe("an overlay that the processor draws", () => {
  const ring = { outlines: outlined([square(10, 10, 40), square(20, 20, 20)]) };

  it("OV48: has lines, and a fill inside of an odd number of rings", () => {
    const at = painted(ring, "outlines");
    expect(at(10, 30)).toBe("df0000ff"); // a line of 1.5 pixels on the border of two, over the fill
    expect(at(15, 30)).toBe("800000ff");
    expect(at(30, 30)).toBe("00000000");
    expect(at(5, 5)).toBe("00000000");
  });

  it("OV48: follows the view when it is turned, flipped and moved", () => {
    const at = painted(ring, "outlines", { matrix: { a: 0, b: 1, c: -1, d: 0, e: 60, f: -5 } }); // x = 60 - y, y = x - 5
    expect(at(30, 10)).toBe("800000ff"); // of (15, 30)
    expect(at(30, 25)).toBe("00000000");
  });

  it("OV45: without a fill only the lines are drawn", () => {
    const at = painted(ring, "outlines", { style: tablesOf({ ...style, fill: 0 }) });
    expect(at(15, 30)).toBe("00000000");
    expect(at(10, 30)).toBe("bf0000ff");
  });

  it("OV46: hidden classes and scores beyond the threshold are not drawn", () => {
    for (const change of [{ hidden: new Set([0]) }, { least: 101 }, { most: 99 }])
      expect(painted(ring, "outlines", { style: tablesOf({ ...style, ...change }) })(10, 30)).toBe("00000000");
  });

  it("OV48: has symbols as ellipses in their direction", () => {
    const symbols = {
      middles: Int32Array.of(30, 30),
      long: Uint32Array.of(40),
      short: Uint32Array.of(8),
      turns: Uint8Array.of(8),
      classes: Uint8Array.of(1),
      scores: Uint8Array.of(0),
    };
    const at = painted({ symbols }, "symbols");
    expect(at(30, 45)).toBe("ccff0000");
    expect(at(45, 30)).toBe("00000000");
  });

  it("OV43: has squares of counts, the more opaque the more they have", () => {
    const counts = [{ of: 0, shapes: new Uint32Array(1024), scores: new Float64Array(1024) }];
    counts[0]!.shapes.set([10, 5]);
    const matrix = { a: 1 / 8, b: 0, c: 0, d: 1 / 8, e: 0, f: 0 };
    const at = painted({ counts }, "counts", { matrix, density: 10 / 128 ** 2 });
    expect(at(3, 3)).toBe("cc0000ff");
    expect(at(20, 3)).toBe("800000ff");
    expect(at(40, 3)).toBe("00000000");
    expect(at(3, 20)).toBe("00000000");
  });
});
