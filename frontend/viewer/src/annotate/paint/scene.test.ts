import { describe, expect, it } from "vitest";
import { boxed, line, point, polygon } from "@wavescope/core/geometry/shape";
import { seeded } from "@wavescope/core/wire/testing";
import { matrixOf, onCanvas, onSlide, scaleOf, visibleBox } from "./matrix";
import { clearSpans } from "./painter";
import { type Chunk, type Drawable, buildChunks, detailFor, touches } from "./scene";
import { SpatialIndex } from "../store/spatial";
import { someContent } from "../store/testing";

function build(drawables: Drawable[]): Chunk[] {
  const steps = buildChunks(drawables);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const circle = (x: number, y: number, radius: number, corners = 20) =>
  polygon(
    "polygon",
    Array.from({ length: corners }, (_, i) => [
      x + radius * Math.cos((i / corners) * 6.2831853),
      y + radius * Math.sin((i / corners) * 6.2831853),
    ]).flat(),
  );

describe("buildChunks", () => {
  it("holds every object once, with its vertices, its colour and gaps between objects", () => {
    const drawables = [
      { id: "a", shape: boxed("rectangle", { minX: 100, minY: 100, maxX: 110, maxY: 110 }), color: 0xff0000ff },
      { id: "b", shape: line("line", [100, 100, 108, 100]), color: 0xff00ff00 },
      { id: "c", shape: point("point", 50, 60), color: 0xffffffff },
    ];
    const chunks = build(drawables);
    expect(chunks.flatMap(({ spans }) => [...spans.keys()]).sort()).toEqual(["a", "b", "c"]);
    const big = chunks.find(({ spans }) => spans.has("a"))!;
    const [start, count] = big.spans.get("a")!;
    const colors = new Uint32Array(big.full.words.buffer);
    const alone = Array.from({ length: count }, (_, i) => colors[3 * (start + i) + 2]);
    expect(alone).toEqual([0xff0000ff, 0xff0000ff, 0xff0000ff, 0xff0000ff, 0]);
    expect([big.full.words[3 * start]! + big.origin[0], big.full.words[3 * start + 1]! + big.origin[1]]).toEqual([
      100, 100,
    ]);
    expect(chunks.find(({ spans }) => spans.has("c"))).toMatchObject({
      extent: 0,
      full: { count: 0 },
      dots: { count: 1 },
    });
  });

  it("keeps neighbours of a size together, so that a close view touches few chunks", () => {
    const random = seeded(3);
    const drawables = Array.from({ length: 20_000 }, (_, i) => ({
      id: String(i),
      shape: circle(random() * 50_000, random() * 50_000, 60),
      color: 1,
    }));
    const chunks = build(drawables);
    expect(chunks.length).toBeLessThan(60);
    const view = { minX: 20_000, minY: 20_000, maxX: 22_000, maxY: 21_500 };
    expect(chunks.filter(({ box }) => touches(box, view)).length).toBeLessThan(8);
  });

  it("draws far objects as dots and small ones with few corners", () => {
    expect([detailFor(100, 0.01), detailFor(100, 0.1), detailFor(100, 1), detailFor(0, 9)]).toEqual([
      "dots",
      "coarse",
      "full",
      "dots",
    ]);
    const chunk = build([{ id: "a", shape: circle(0, 0, 50, 100), color: 1 }])[0]!;
    expect([chunk.full.count, chunk.coarse.count, chunk.dots.count]).toEqual([101, 9, 1]);
  });

  it("takes one object out without touching the others", () => {
    const chunk = build(
      [circle(0, 0, 50), circle(10, 0, 50)].map((shape, i) => ({ id: String(i), shape, color: 7 })),
    )[0]!;
    expect(clearSpans(chunk, "1").map(([name]) => name)).toEqual(["full", "coarse", "dots"]);
    const colors = [...new Uint32Array(chunk.full.words.buffer)].filter((_, i) => i % 3 === 2);
    expect(colors.filter((color) => color === 7).length).toBe(20);
    expect(clearSpans(chunk, "nobody")).toEqual([]);
  });
});

describe("matrixOf", () => {
  const placement = { canvas_x: 30, canvas_y: -20, l0_scale: 0.5 };

  it.each([
    [0, false],
    [90, false],
    [37, true],
    [180, true],
  ])("turns by %d degrees and flips (%s), and back", (degrees, flip) => {
    const matrix = matrixOf(placement, 800, 600, degrees, flip);
    const [x, y] = onCanvas(matrix, 123, 456);
    expect(onSlide(matrix, x, y).map((value) => Math.round(value * 1e6) / 1e6)).toEqual([123, 456]);
    expect(scaleOf(matrix)).toBeCloseTo(0.5, 12);
  });

  it("is the placement itself when nothing is turned, and turns clockwise about the middle", () => {
    expect(onCanvas(matrixOf(placement, 800, 600, 0, false), 100, 100)).toEqual([80, 30]);
    const [x, y] = onCanvas(matrixOf({ canvas_x: 400, canvas_y: 300, l0_scale: 1 }, 800, 600, 90, false), 10, 0);
    expect([Math.round(x), Math.round(y)]).toEqual([400, 310]);
    const [flipped] = onCanvas(matrixOf(placement, 800, 600, 0, true), 100, 100);
    expect(flipped).toBe(720);
  });

  it("knows what is in view", () => {
    expect(visibleBox(matrixOf({ canvas_x: 0, canvas_y: 0, l0_scale: 2 }, 800, 600, 0, false), 800, 600)).toMatchObject(
      { maxX: 400, maxY: 300 },
    );
    expect(visibleBox(matrixOf({ canvas_x: 10, canvas_y: 10, l0_scale: 2 }, 800, 600, 0, false), 800, 600)).toEqual({
      minX: -5,
      minY: -5,
      maxX: 395,
      maxY: 295,
    });
  });
});

describe("SpatialIndex", () => {
  it("finds the nearest line, else the smallest shape around, and follows changes", () => {
    const index = new SpatialIndex();
    const shown = () => true;
    index.update([
      ["large", someContent(0, { shape: circle(0, 0, 100) })],
      ["small", someContent(0, { shape: circle(0, 0, 10) })],
    ]);
    expect([
      index.hit(2, 0, 3, shown),
      index.hit(50, 0, 3, shown),
      index.hit(98, 0, 3, shown),
      index.hit(200, 0, 3, shown),
    ]).toEqual(["small", "large", "large", null]);
    index.update([
      ["small", null],
      ["large", someContent(0, { shape: circle(500, 500, 10) })],
    ]);
    expect([
      index.size,
      index.hit(2, 0, 3, shown),
      index.hit(505, 500, 3, shown),
      index.hit(505, 500, 3, () => false),
    ]).toEqual([1, null, "large", null]);
  });

  it("holds as many as are loaded at once, and gives them up one by one", () => {
    const index = new SpatialIndex();
    index.update(Array.from({ length: 5000 }, (_, i) => [String(i), someContent(i)] as const));
    expect(index.within({ minX: 100, minY: -1, maxX: 199, maxY: 1 }).length).toBe(100);
    index.update(Array.from({ length: 4000 }, (_, i) => [String(i), null] as const));
    expect([index.size, index.within({ minX: 0, minY: -1, maxX: 5000, maxY: 1 }).length]).toEqual([1000, 1000]);
  });
});
