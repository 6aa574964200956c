import { describe, expect, it } from "vitest";
import { measure } from "@wavescope/core/geometry/measure";
import { boxed } from "@wavescope/core/geometry/shape";
import {
  type FieldSize,
  type Spot,
  areaMm2,
  diameterUm,
  fieldAt,
  fieldsAlong,
  mayOverlap,
  middleOf,
  nextField,
} from "./fields";

const HPF: FieldSize = { kind: "objective", magnification: 40, fieldNumber: 22 };
const ROUND: FieldSize = { kind: "area", mm2: Math.PI / 4 }; // 1000 µm across
const UNEVEN = { x: 0.25, y: 0.5 };

const leastDistance = (spots: readonly Spot[], { x, y }: { x: number; y: number }): number =>
  Math.min(...spots.flatMap((a, i) => spots.slice(0, i).map((b) => Math.hypot((a.x - b.x) * x, (a.y - b.y) * y))));

describe("AN33: counting fields", () => {
  it("have the diameter of the field number by the magnification, and its area", () => {
    expect([diameterUm(HPF), areaMm2(HPF)]).toEqual([550, expect.closeTo(0.237583, 6)]);
    expect([diameterUm(ROUND), areaMm2(ROUND)]).toEqual([expect.closeTo(1000, 9), Math.PI / 4]);
  });

  it.each([HPF, ROUND])("measure that area, where pixels are not square too", (size) => {
    const shape = fieldAt({ x: 5000, y: 4000 }, size, UNEVEN);
    expect(measure(shape, UNEVEN).area! / 1e6).toBeCloseTo(areaMm2(size), 12);
    expect(middleOf(shape)).toEqual({ x: 5000, y: 4000 });
  });

  it("lie one after the other along a line, each touching the next, as many as there is room or are asked for", () => {
    const line = [0, 100, 10_000, 100]; // 2500 µm
    const spots = fieldsAlong(line, HPF, { x: 0.25, y: 0.25 }, 10);
    expect(spots.map(({ x }) => Math.round(x))).toEqual([0, 2200, 4400, 6600, 8800]);
    expect(spots.every(({ y }) => y === 100)).toBe(true);
    expect(fieldsAlong(line, HPF, { x: 0.25, y: 0.25 }, 3)).toEqual(spots.slice(0, 3));
  });

  it("overlap nowhere along a path that turns back", () => {
    const path = [0, 0, 8000, 0, 8000, 1000, 0, 1000, 0, 4000, 8000, 4000];
    const spots = fieldsAlong(path, HPF, UNEVEN, 100);
    expect(spots.length).toBeGreaterThan(6);
    expect(leastDistance(spots, UNEVEN)).toBeGreaterThan(550 * (1 - 1e-6));
  });

  it("are none along a path without length but the first", () => {
    expect(fieldsAlong([5, 5, 5, 5], HPF, UNEVEN, 4)).toEqual([{ x: 5, y: 5 }]);
    expect(fieldsAlong([], HPF, UNEVEN, 4)).toEqual([]);
  });

  it("go straight on from the last two, and round what is there", () => {
    const mpp = { x: 1, y: 1 };
    expect(nextField([], HPF, mpp)).toBeNull();
    expect(nextField([{ x: 0, y: 0 }], HPF, mpp)).toEqual({ x: 550, y: 0 });
    const down = nextField(
      [
        { x: 0, y: 0 },
        { x: 0, y: 550 },
      ],
      HPF,
      mpp,
    )!;
    expect([down.x, down.y]).toEqual([expect.closeTo(0, 9), expect.closeTo(1100, 9)]);
    const spots: Spot[] = [
      { x: 1100, y: 0 },
      { x: 0, y: 0 },
      { x: 550, y: 0 },
    ];
    const turned = nextField(spots, HPF, mpp)!;
    expect(leastDistance([...spots, turned], mpp)).toBeGreaterThan(550 * (1 - 1e-6));
  });

  it("that touch do not overlap, those nearer do", () => {
    const field = (x: number) => fieldAt({ x, y: 0 }, HPF, UNEVEN);
    expect([mayOverlap(field(0), field(2200)), mayOverlap(field(0), field(2199))]).toEqual([false, true]);
    const corner = fieldAt({ x: 2100, y: 1050 }, HPF, UNEVEN); // boxes overlap, circles do not
    expect(mayOverlap(field(0), corner)).toBe(false);
    const box = boxed("rectangle", { minX: 1000, minY: 0, maxX: 3000, maxY: 10 });
    expect(mayOverlap(field(0), box)).toBe(true);
  });
});
