import { describe, expect, it } from "vitest";
import { type PadReading, padAction } from "./gamepad";

const rest: PadReading = { axes: [0.05, -0.1, 0.02, 0], buttons: Array.from({ length: 16 }, () => 0) };
const press = (...pressed: number[]): PadReading => ({
  ...rest,
  buttons: rest.buttons.map((_, i) => (pressed.includes(i) ? 1 : 0)),
});

describe("padAction", () => {
  it("does nothing while the pad lies still", () => {
    expect(padAction(rest, rest, 0.016)).toEqual({
      across: 0,
      down: 0,
      zoom: 1,
      turn: 0,
      focus: 0,
      objective: 0,
      home: false,
      full: false,
    });
  });

  it("pans with the left stick, faster the further it is pushed, and in proportion to time", () => {
    const at = (x: number, seconds: number): number => padAction({ ...rest, axes: [x, 0, 0, 0] }, rest, seconds).across;
    expect(at(1, 0.1)).toBeCloseTo(2 * at(1, 0.05));
    expect(at(0.5, 0.1)).toBeLessThan(at(1, 0.1) / 2);
    expect(at(-1, 0.1)).toBeCloseTo(-at(1, 0.1));
  });

  it("zooms with the triggers and turns with the right stick", () => {
    expect(padAction(press(7), rest, 1).zoom).toBeCloseTo(4);
    expect(padAction(press(6), rest, 1).zoom).toBeCloseTo(1 / 4);
    expect(padAction(press(6, 7), rest, 1).zoom).toBe(1);
    expect(padAction({ ...rest, axes: [0, 0, 1, 0] }, rest, 0.5).turn).toBeCloseTo(30);
  });

  it("focuses and changes objectives once for each press", () => {
    expect(padAction(press(5), rest, 0.016).focus).toBe(1);
    expect(padAction(press(5), press(5), 0.016).focus).toBe(0);
    expect(padAction(press(4), rest, 0.016).focus).toBe(-1);
    expect(padAction(press(0), rest, 0.016).objective).toBe(1);
    expect(padAction(press(1), rest, 0.016).objective).toBe(-1);
    expect(padAction(press(3), rest, 0.016).home).toBe(true);
    expect(padAction(press(2), rest, 0.016).full).toBe(true);
  });

  it("makes do with pads of fewer axes and buttons", () => {
    expect(padAction({ axes: [], buttons: [] }, null, 0.016)).toMatchObject({ across: 0, focus: 0, zoom: 1 });
  });
});
