import { describe, expect, it } from "vitest";
import { STEP, type WheelReading, wheelZoom } from "./wheel";

/** Events as browsers send them: pixels unless said otherwise, ticks with the opposite sign. */
const event = (deltaY: number, wheelDeltaY?: number, rest: Partial<WheelReading> = {}): WheelReading => {
  return { deltaX: 0, deltaY, deltaMode: 0, ctrlKey: false, wheelDeltaY, ...rest };
};
const scroll = (deltaY: number): WheelReading => event(deltaY, -3 * deltaY);
/** A pinch of two fingers: 100 times the logarithm of the change, and a whole tick whatever its size. */
const pinch = (deltaY: number): WheelReading => event(deltaY, -120 * Math.sign(deltaY), { ctrlKey: true });
const zoomOf = (events: readonly WheelReading[]): number => events.reduce((zoom, one) => zoom * wheelZoom(one), 1);

describe("a notch of a mouse wheel", () => {
  it.each([
    ["Chrome on Linux", event(120, -120)],
    ["Chrome on Linux, older", event(53, -120)],
    ["Chrome on Windows", event(100, -120)],
    ["Chrome on Windows at 150 percent", event(66.66666412353516, -120)],
    ["Chrome on Windows at 250 percent", event(40, -120)],
    ["Chrome on macOS, slowly", event(4.000244140625, -12)],
    ["Chrome on macOS, faster", event(34.15283203125, -102)],
    ["Chrome on macOS, fast", event(153.34228515625, -460)],
    ["Firefox in lines", event(3, -120, { deltaMode: 1 })],
    ["Firefox in pixels", event(114, -120)],
    ["Firefox by pages", event(1, -120, { deltaMode: 2 })],
    ["a browser that tells no ticks", event(100)],
    ["one that tells no ticks either", event(120)],
    ["a mouse with Ctrl held down", event(100, -120, { ctrlKey: true })],
    ["a mouse with Ctrl held down, Firefox", event(3, -120, { deltaMode: 1, ctrlKey: true })],
  ])("is one step: %s", (_, notch) => {
    expect(wheelZoom(notch)).toBeCloseTo(1 / STEP, 12);
    const up = { ...notch, deltaY: -notch.deltaY, wheelDeltaY: notch.wheelDeltaY && -notch.wheelDeltaY };
    expect(wheelZoom(up)).toBeCloseTo(STEP, 12);
  });

  it("is as many steps as notches were made between two events", () => {
    expect(wheelZoom(event(-240, 240))).toBeCloseTo(STEP ** 2, 12);
    expect(wheelZoom(event(-300, 360))).toBeCloseTo(STEP ** 3, 12);
    expect(wheelZoom(event(-200))).toBeCloseTo(STEP ** 2, 12);
  });
});

describe("a trackpad", () => {
  const gentle = [-1, -2, -4, -7, -9, -8, -6, -4, -3, -2, -2, -1, -1, -1, -1].map(scroll);

  it("zooms by as much as two fingers move, whatever number of events tells of it", () => {
    expect(zoomOf(gentle)).toBeCloseTo(STEP ** 0.52, 9);
    expect(zoomOf([scroll(-26), scroll(-26)])).toBeCloseTo(zoomOf(gentle), 9);
    expect(wheelZoom(scroll(-1))).toBeLessThan(1.003);
    expect(zoomOf([...gentle, ...gentle.map(({ deltaY }) => scroll(-deltaY))])).toBeCloseTo(1, 12);
  });

  it("is not taken for a wheel where its delta is that of a notch", () => {
    expect(wheelZoom(scroll(-100))).toBeCloseTo(STEP, 9);
    expect(wheelZoom(scroll(-80))).toBeCloseTo(STEP ** 0.8, 9);
    expect(wheelZoom(scroll(-53))).toBeCloseTo(STEP ** 0.53, 9);
  });

  it("zooms by as much as two fingers that pinch go apart, and back", () => {
    const apart = [-0.4, -1.1, -2.6, -4.9, -7.30029296875, -8.8, -9.1, -7.39970703125, -5.2, -3.1, -1.6, -0.5].map(
      pinch,
    );
    expect(zoomOf(apart)).toBeCloseTo(Math.exp(0.52), 9);
    expect(zoomOf(apart.map(({ deltaY }) => pinch(-deltaY)))).toBeCloseTo(Math.exp(-0.52), 9);
    expect(wheelZoom(pinch(-1))).toBeCloseTo(1.01, 3);
  });

  it("does not zoom when it is swiped to the side", () => {
    expect(wheelZoom({ ...scroll(-3), deltaX: 25 })).toBe(1);
    expect(wheelZoom({ ...scroll(0), deltaX: -120 })).toBe(1);
    expect(wheelZoom({ ...scroll(-25), deltaX: 3 })).toBeGreaterThan(1);
  });
});

it("a wheel without notches adds up to one step where another has its notch", () => {
  const fine = Array.from({ length: 8 }, () => event(-12.5, 15));
  expect(zoomOf(fine)).toBeCloseTo(STEP, 9);
});

it("no event zooms without end, and none of no movement zooms at all", () => {
  expect(wheelZoom(event(-1e9))).toBeCloseTo(4, 9);
  expect(wheelZoom(event(1e9, undefined, { ctrlKey: true }))).toBeCloseTo(1 / 4, 9);
  expect(wheelZoom(event(0))).toBe(1);
});
