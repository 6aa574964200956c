import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TILE } from "@wavescope/core/geometry/pyramid";
import { TileHandle } from "@wavescope/core/tiles/handle";
import { stub } from "@wavescope/core/stub";
import { openDocument } from "../fakeBrowser";
import { DamageMarks } from "./damageMarks";

/** A drawing context that records what is drawn, and its settings at that time. */
class FakeContext {
  readonly done: unknown[][] = [];
  readonly patterns: object[] = [];
  fillStyle = "";
  strokeStyle = "";
  globalAlpha = 1;
  lineWidth = 1;
  imageSmoothingEnabled = false;

  fillRect(...rect: number[]): void {
    this.done.push(["fill", this.fillStyle, this.globalAlpha, ...rect]);
  }

  strokeRect(...rect: number[]): void {
    this.done.push(["stroke", this.strokeStyle, this.globalAlpha, ...rect]);
  }

  drawImage(...what: unknown[]): void {
    this.done.push(["image", ...what]);
  }

  save = (): void => void this.done.push(["save"]);
  restore = (): void => void this.done.push(["restore"]);
  beginPath = (): void => undefined;
  moveTo = (): void => undefined;
  lineTo = (): void => undefined;
  stroke = (): void => undefined;

  createPattern(): object {
    this.patterns.push({});
    return this.patterns.at(-1)!;
  }
}

let context: FakeContext;
let marks: DamageMarks;
beforeEach(() => {
  openDocument(() => ({ getContext: () => new FakeContext() }));
  context = new FakeContext();
  marks = new DamageMarks(stub<CanvasRenderingContext2D>(context));
});
afterEach(() => vi.unstubAllGlobals());

const rect = { left: 10, top: 20, right: 110, bottom: 70, whole: true };
const [GREY, DIMMING] = ["#8d8d8d", "rgb(60 60 60 / 50%)"];

function pictured(width = TILE, height = TILE): TileHandle {
  const handle = new TileHandle(1, 0, 0, { width, height });
  handle.show({ bitmap: stub<ImageBitmap>({ width, height, close: () => undefined }), z: 0, layers: 1 });
  return handle;
}

describe("the stand-in of a damaged tile", () => {
  const tile = new TileHandle(0, 5, 2, { width: TILE, height: TILE });

  it("is grey where no ancestor has a picture", () => {
    const asked: number[] = [];
    marks.drawStandIn(tile, rect, 3, (up) => (asked.push(up), null));
    expect(context.done).toEqual([["fill", GREY, 1, 10, 20, 100, 50]]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it("is its part of the finest ancestor that has a picture, dimmed", () => {
    const ancestor = pictured();
    const without = new TileHandle(1, 2, 1, { width: TILE, height: TILE });
    marks.drawStandIn(tile, rect, 3, (up) => (up === 1 ? without : up === 2 ? ancestor : pictured()));
    expect(context.done.slice(1)).toEqual([
      ["image", ancestor.picture!.bitmap, TILE / 4, TILE / 2, TILE / 4, TILE / 4, 10, 20, 100, 50],
      ["fill", DIMMING, 1, 10, 20, 100, 50],
    ]);
    expect(context.imageSmoothingEnabled).toBe(true);
  });

  it("ends where the picture of the ancestor ends, at the edge of the slide", () => {
    const edge = new TileHandle(0, 1, 1, { width: 101, height: 33 });
    marks.drawStandIn(edge, rect, 1, () => pictured(TILE / 2 + 50, TILE / 2 + 16));
    const [, , , , width, height] = context.done[1]!;
    expect([width, height]).toEqual([50, 16]);
  });
});

describe("the mark of a damaged tile", () => {
  it("is hatched and framed in red; the frame lies inside of the tile", () => {
    marks.drawMark(rect, false);
    expect(context.done).toEqual([
      ["save"],
      ["fill", context.patterns[0], 0.6, 10, 20, 100, 50],
      ["stroke", "#c62828", 1, 11, 21, 98, 48],
      ["restore"],
    ]);
  });

  it("is lighter over a picture, so that what is there is seen through it", () => {
    marks.drawMark(rect, true);
    expect(context.done[1]![2]).toBe(0.35);
  });

  it("makes its hatching once for all tiles", () => {
    for (let i = 0; i < 3; i += 1) marks.drawMark(rect, false);
    expect(context.patterns).toHaveLength(1);
  });
});
