import { describe, expect, it } from "vitest";
import { Pyramid, address } from "../../geometry/pyramid";
import { occupancyMapOf, emptyByMap } from "./occupancyMap";

const pyramid = new Pyramid(1024, 512); // 4 x 2 tiles, then 2 x 1

const fault = (path: string, rule: string): Error => new Error(`${path}: ${rule}`);

describe("which blocks are stored", () => {
  it("tells of every block of its plane whether it is empty, and nothing of other planes", () => {
    const occupancy = occupancyMapOf(
      {
        plane: 3,
        runs: [
          [1, 2, 3, 2],
          [0, 1, 1],
        ],
      },
      pyramid,
      fault,
    );
    const level = (n: number, columns: number, rows: number): (boolean | undefined)[] =>
      Array.from({ length: columns * rows }, (_, i) =>
        emptyByMap(occupancy, pyramid, address(3, n, i % columns, Math.floor(i / columns))),
      );
    expect(level(0, 4, 2)).toEqual([false, true, true, false, false, false, true, true]);
    expect(level(1, 2, 1)).toEqual([true, false]);
    expect(emptyByMap(occupancy, pyramid, address(2, 0, 1, 0))).toBeUndefined();
  });

  it.each([
    [[[8]], "/empty/runs:"],
    [[[7], [2]], "/empty/runs/0:"],
    [[[8], [1, 2]], "/empty/runs/1:"],
  ])("refuses runs that do not fit: %j", (runs, path) => {
    expect(() => occupancyMapOf({ plane: 0, runs }, pyramid, fault)).toThrow(path);
  });
});
