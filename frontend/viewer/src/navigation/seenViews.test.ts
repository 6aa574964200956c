import { describe, expect, it } from "vitest";
import { MAX_VIEWS, type SeenView, addView, coveredParts, mergedViews, objectiveReached, seenMap } from "./seenViews";
import { gridOf } from "./tissue";

const grid = gridOf({ width: 5120, height: 2560 }); // cells of 10 pixels
const SCALES = [0.125, 0.25, 0.5, 1];

const view = (l0_x: number, more: Partial<SeenView> = {}): SeenView => ({
  ...{ l0_x, l0_y: 0, l0_width: 1000, l0_height: 600, rotation: 0, scale: 1, seconds: 1, sharp: true },
  ...more,
});
const left = (views: readonly SeenView[]) => views.map(({ l0_x, seconds }) => [l0_x, seconds]);
const cells = (seen: Uint8Array) => seen.reduce((sum, one) => sum + Number(one > 0), 0);

describe("the log of views (CV6)", () => {
  it("holds the fields in the order of the visits", () => {
    expect(left(addView(addView([], view(0)), view(500)))).toEqual([
      [0, 1],
      [500, 1],
    ]); // prettier-ignore
  });

  it("takes nearly the same field for the same one, which lasts longer", () => {
    expect(left(addView([view(0), view(500)], view(510)))).toEqual([
      [0, 1],
      [500, 2],
    ]); // prettier-ignore
    expect(left(addView([view(500), view(0)], view(510)))).toEqual([
      [0, 1],
      [500, 2],
    ]); // prettier-ignore
    expect(addView([view(500)], view(500, { l0_width: 2000 }))).toHaveLength(2);
    expect(addView([view(500)], view(500, { rotation: 90 }))).toHaveLength(2);
    expect(addView([view(500)], view(500, { sharp: false }))).toHaveLength(2);
  });

  it("is joined with another one of the same slide without counting anything twice (CV8)", () => {
    const here = [view(0), view(500, { seconds: 9 })];
    const there = [view(0, { seconds: 4 }), view(510), view(2000)];
    expect(left(mergedViews(here, there))).toEqual([
      [0, 4],
      [500, 9],
      [2000, 1],
    ]); // prettier-ignore
    expect(mergedViews(here, here)).toEqual(here);
  });

  it("forgets the oldest", () => {
    let views: readonly SeenView[] = Array.from({ length: MAX_VIEWS }, (_, i) => view(1000 * i));
    views = addView(views, view(-1000));
    expect(views).toHaveLength(MAX_VIEWS);
    expect([views[0]!.l0_x, views.at(-1)!.l0_x]).toEqual([1000, -1000]);
  });
});

describe("what was seen (CV3, CV4)", () => {
  it("is every cell whose centre lies in a sharp view", () => {
    expect(cells(seenMap(grid, [view(0)], SCALES))).toBe(100 * 60);
    expect(cells(seenMap(grid, [view(0), view(500)], SCALES))).toBe(150 * 60);
    expect(cells(seenMap(grid, [view(0, { sharp: false })], SCALES))).toBe(0);
    expect(cells(seenMap(grid, [view(-5000), view(6000)], SCALES))).toBe(0);
  });

  it("is the turned field where the slide was turned", () => {
    const turned = seenMap(grid, [view(1000, { rotation: 90, l0_y: 1000 })], SCALES);
    expect(cells(turned)).toBe(100 * 60);
    const at = (x: number, y: number) => turned[Math.floor(y / 10) * grid.columns + Math.floor(x / 10)];
    expect([at(1500, 805), at(1500, 1795), at(1205, 1300), at(1150, 1300)]).toEqual([4, 4, 4, 0]);
  });

  it("has the area of the field, however it is turned", () => {
    for (let rotation = 0; rotation < 360; rotation += 7) {
      const one = view(1500, { l0_y: 900, rotation });
      expect(Math.abs(cells(seenMap(grid, [one], SCALES)) / 6000 - 1)).toBeLessThan(0.03);
    }
  });

  it("counts for the objective it was seen at and all weaker ones", () => {
    const mask = { ...grid, cells: new Uint8Array(grid.columns * grid.rows).fill(1), count: grid.columns * grid.rows };
    const low = view(0, { l0_width: 5120, l0_height: 1280, scale: 0.25 });
    const parts = coveredParts(mask, seenMap(grid, [low, view(0, { l0_width: 1280, l0_height: 2560 })], SCALES), 4);
    expect(parts).toEqual([0.625, 0.625, 0.25, 0.25]);
  });

  it("is a part of the tissue only", () => {
    const cells = new Uint8Array(grid.columns * grid.rows).map((_, i) => Number(i % grid.columns < 20));
    const mask = { ...grid, cells, count: 20 * grid.rows };
    const half = view(0, { l0_width: 100, l0_height: 2560 });
    expect(coveredParts(mask, seenMap(grid, [half], SCALES), 4)[3]).toBe(0.5);
    expect(coveredParts({ ...mask, cells: cells.fill(0), count: 0 }, seenMap(grid, [half], SCALES), 4)).toEqual([
      0, 0, 0, 0,
    ]);
  });
});

it("an objective is reached a little before its scale (CV4)", () => {
  expect([0.1, 0.122, 0.24, 0.25, 0.49, 0.98, 4].map((scale) => objectiveReached(SCALES, scale))).toEqual(
    [-1, 0, 0, 1, 2, 3, 3], // prettier-ignore
  );
});
