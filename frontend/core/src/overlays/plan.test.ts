import { describe, expect, it } from "vitest";
import { type Pyramid, type ViewPlan, drawnOf, expectedShapes, fullDensity, keyOf, planView, totalsOf } from "./plan";

const million: Pyramid & { classes: number } = {
  width: 34_641,
  height: 34_641,
  top: 7,
  shapes: 1_000_000,
  outlines: [1_000_000, 0, 0, 0, 0, 0, 0, 0],
  classes: 3,
};

const boxAt = (x: number, y: number, scale: number, width = 1920, height = 1080) => ({
  minX: x - width / 2 / scale,
  minY: y - height / 2 / scale,
  maxX: x + width / 2 / scale,
  maxY: y + height / 2 / scale,
});

function planAt(scale: number, overlay = million, x = 17_000, y = 17_000): ViewPlan {
  const box = boxAt(x, y, scale);
  return planView(overlay, box, scale, expectedShapes(overlay, box, null), null);
}

const levelsIn = ({ tiles }: ViewPlan): number[] => [...new Set(tiles.map(({ level }) => level))];

describe("the tiles of a view", () => {
  it.each([
    [2, "outlines", 0],
    [1, "outlines", 0],
    [0.45, "symbols", 2],
    [0.06, "counts", 4],
    [0.03, "counts", 5],
    [0.001, "counts", 7],
  ] as const)("OV40: at %d device pixels per pixel are %s of level %d", (scale, detail, level) => {
    expect(planAt(scale)).toMatchObject({ detail, level });
  });

  it("OV10: reach a quarter of a tile beyond the view for outlines, and are within the slide", () => {
    const places = planView(million, { minX: 512, minY: 0, maxX: 1024, maxY: 100 }, 1, 100, null).tiles.map(keyOf);
    expect(places.toSorted()).toEqual(["0/0/0", "0/1/0", "0/2/0"]);
    const corner = planView(million, boxAt(0, 0, 1), 1, 100, null).tiles;
    expect(corner.every(({ x, y }) => x >= 0 && y >= 0)).toBe(true);
  });

  it("OV10: are those of all levels above that have outlines, of all where it is not known", () => {
    expect(levelsIn(planAt(1))).toEqual([0]);
    expect(levelsIn(planAt(1, { ...million, outlines: [9e5, 0, 0, 1e5] }))).toEqual([0, 3]);
    expect(levelsIn(planAt(1, { ...million, shapes: 1000, outlines: null }))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("OV41: come nearest to the middle first", () => {
    const [first] = planAt(1).tiles;
    expect([first!.x, first!.y]).toEqual([33, 33]);
  });

  it("OV41: a crowded view has a coarser detail, and keeps one that still fits", () => {
    const box = boxAt(17_000, 17_000, 1);
    expect(planView(million, box, 1, 2000, null).detail).toBe("outlines");
    expect(planView(million, box, 1, 30_000, null).detail).not.toBe("outlines");
    const between = 4000;
    expect(planView(million, box, 1, between, null).detail).toBe("symbols");
    expect(planView(million, box, 1, between, "outlines").detail).toBe("outlines");
  });

  it("OV41: has no more than 300 kB expected at any scale, anywhere", () => {
    for (let scale = 1 / 64; scale <= 4; scale *= 1.07)
      for (const x of [300, 17_000, 17_300, 34_000]) {
        const plan = planAt(scale, million, x, x);
        const cells = 1_000_000 / 34_641 ** 2;
        const bytes = plan.tiles.reduce((sum, { level }) => {
          const area = (512 * 2 ** level) ** 2;
          return sum + (level === 0 ? 24 * cells * area : level === 2 ? 9 * cells * area : 3000);
        }, 0);
        expect(bytes, `${scale} ${x}`).toBeLessThanOrEqual(300_000);
      }
  });

  it("are those of the last level of a slide that is too small for counts", () => {
    const small = { width: 900, height: 500, top: 1, shapes: 90_000, outlines: null, classes: 1 };
    expect(planView(small, boxAt(450, 250, 0.1), 0.1, 90_000, null)).toMatchObject({ detail: "outlines", level: 0 });
    const symbols = { ...small, width: 2000, top: 2 };
    expect(planView(symbols, boxAt(450, 250, 0.01), 0.01, 90_000, null)).toMatchObject({ detail: "symbols" });
  });
});

describe("expected shapes", () => {
  const counts = [{ of: 0, shapes: new Uint32Array(1024), scores: new Float64Array(1024) }];
  counts[0]!.shapes[33] = 80;
  const overlay = { ...million, width: 4096, height: 4096, top: 3, shapes: 80 };
  const known = totalsOf({ level: 3, x: 0, y: 0 }, counts);

  it("OV41: are those of the squares in the box, in part where a square is", () => {
    expect(expectedShapes(overlay, { minX: 0, minY: 0, maxX: 4096, maxY: 4096 }, known)).toBe(80);
    expect(expectedShapes(overlay, { minX: 128, minY: 128, maxX: 192, maxY: 256 }, known)).toBe(40);
    expect(expectedShapes(overlay, { minX: 1000, minY: 0, maxX: 4096, maxY: 4096 }, known)).toBe(0);
  });

  it("are the mean without counts", () => {
    expect(expectedShapes(overlay, { minX: -50, minY: 0, maxX: 2048, maxY: 2048 }, null)).toBe(20);
  });

  it("OV43: full colour is that of the square with the most", () => {
    expect(fullDensity(known)).toBe(80 / 128 ** 2);
  });
});

describe("what is drawn", () => {
  const plan: ViewPlan = {
    detail: "symbols",
    level: 2,
    tiles: [
      { level: 2, x: 2, y: 3 },
      { level: 2, x: 3, y: 3 },
      { level: 2, x: 4, y: 3 },
      { level: 3, x: 1, y: 1 },
    ],
  };
  const states: Record<string, "here" | "empty"> = {
    "2/2/3": "here",
    "2/4/3": "empty",
    "3/1/1": "here",
    "5/0/0": "here",
  };
  const drawn = drawnOf(plan, 5, (key) => states[key] ?? "missing");

  it("OV10: outlines of all tiles, the detail of those of its level; OV42: counts above one that is missing", () => {
    expect(drawn.map(({ key, part }) => `${part} ${key}`)).toEqual([
      "counts 3/1/1",
      "symbols 2/2/3",
      "outlines 2/2/3",
      "outlines 3/1/1",
    ]);
    expect(drawn[0]!.window).toEqual({ minX: 6144, minY: 6144, maxX: 8192, maxY: 8192 });
  });

  it("is in the same order whatever is requested first", () => {
    const other = { ...plan, tiles: plan.tiles.toReversed() };
    expect(drawnOf(other, 5, (key) => states[key] ?? "missing")).toEqual(drawn);
  });

  it("OV42: nothing in place of a tile that is missing if no counts are here", () => {
    expect(drawnOf(plan, 5, () => "missing")).toEqual([]);
  });
});
