import { describe, expect, it } from "vitest";
import { Pyramid, address } from "../../geometry/pyramid";
import { parseEmptiness, toldEmpty } from "./occupancyMap";
import { ShapeError } from "../http/errors";

const pyramid = new Pyramid(2048, 1024); // 4 x 2 tiles, then 2 x 1

describe("which blocks are stored", () => {
  it("tells of every block of its plane whether it is empty, and nothing of other planes", () => {
    const told = parseEmptiness(
      {
        plane: 3,
        runs: [
          [1, 2, 3, 2],
          [0, 1, 1],
        ],
      },
      pyramid,
    )!;
    const level = (n: number, columns: number, rows: number): (boolean | undefined)[] =>
      Array.from({ length: columns * rows }, (_, i) =>
        toldEmpty(told, pyramid, address(3, n, i % columns, Math.floor(i / columns))),
      );
    expect(level(0, 4, 2)).toEqual([false, true, true, false, false, false, true, true]);
    expect(level(1, 2, 1)).toEqual([true, false]);
    expect(toldEmpty(told, pyramid, address(2, 0, 1, 0))).toBeUndefined();
  });

  it("is null where a manifest does not tell", () => {
    expect(parseEmptiness(undefined, pyramid)).toBeNull();
    expect(parseEmptiness(null, pyramid)).toBeNull();
  });

  it.each([[[8]], [[7], [2]], [[8], [1, 2]], [[8], [2, -1, 1]], [[8], [0.5, 1.5]], [["8"], [2]]])(
    "refuses runs that cannot be: %j",
    (...runs) => {
      expect(() => parseEmptiness({ plane: 0, runs }, pyramid)).toThrow(ShapeError);
    },
  );
});
