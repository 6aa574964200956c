import { describe, expect, it } from "vitest";
import { strength, visit } from "./viewedAreas";

const field = (l0_x: number, l0_width = 1000) => ({ l0_x, l0_y: 0, l0_width, l0_height: 600, rotation: 0 });

describe("the trail", () => {
  it("holds the fields in the order of the visits", () => {
    expect(visit(visit([], field(0)), field(500)).map((one) => one.l0_x)).toEqual([0, 500]);
  });

  it("takes a field beside the last for the same one", () => {
    expect(visit([field(0), field(500)], field(510)).map((one) => one.l0_x)).toEqual([0, 510]);
    expect(visit([field(500), field(0)], field(510))).toHaveLength(3);
    expect(visit([field(500)], field(500, 2000))).toHaveLength(2);
    expect(visit([field(500)], { ...field(500), rotation: 90 })).toHaveLength(2);
  });

  it("forgets the oldest", () => {
    let fields = visit([], field(0));
    for (let i = 1; i < 500; i += 1) fields = visit(fields, field(1000 * i));
    expect(fields).toHaveLength(120);
    expect(fields.at(-1)!.l0_x).toBe(499_000);
  });

  it("fades with age and never quite goes", () => {
    expect(strength(9, 10)).toBe(1);
    for (let i = 1; i < 100; i += 1) expect(strength(i, 100)).toBeGreaterThan(strength(i - 1, 100));
    expect(strength(0, 120)).toBeGreaterThan(0.1);
  });
});
