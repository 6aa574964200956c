import { describe, expect, it } from "vitest";
import { neighbour, objectiveAt, objectivesFor } from "./objectives";

describe("objectives", () => {
  it("go from the weakest to the limit of enlargement", () => {
    expect(objectivesFor(40, 4).map((one) => one.magnification)).toEqual([1.25, 2.5, 5, 10, 20, 40, 63, 100]);
    expect(objectivesFor(20, 4).map((one) => one.magnification)).toEqual([1.25, 2.5, 5, 10, 20, 40, 63]);
    expect(objectivesFor(2, 4).map((one) => one.magnification)).toEqual([1.25, 2.5, 5]);
  });

  it("take the scanner's own magnification for exactly 1:1, and tell what is beyond it", () => {
    const turret = objectivesFor(10 / 0.2527, 4);
    expect(turret.find((one) => one.magnification === 40)).toEqual({ magnification: 40, scale: 1, beyond: false });
    expect(turret.find((one) => one.magnification === 10)?.scale).toBe(0.25);
    expect(
      objectivesFor(20, 4)
        .filter((one) => one.beyond)
        .map((one) => one.magnification),
    ).toEqual([40, 63]);
  });

  it("are none where nothing is known of the slide", () => {
    expect(objectivesFor(null, 4)).toEqual([]);
  });

  it("have neighbours", () => {
    const turret = objectivesFor(40, 4);
    expect(neighbour(turret, 0.5, 1)?.magnification).toBe(40);
    expect(neighbour(turret, 0.3, 1)?.magnification).toBe(20);
    expect(neighbour(turret, 0.3, -1)?.magnification).toBe(10);
    expect(neighbour(turret, 4, 1)).toBeUndefined();
    expect(objectiveAt(turret, 0.2502)?.magnification).toBe(10);
    expect(objectiveAt(turret, 0.3)).toBeUndefined();
  });
});
