import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Shape } from "@wavescope/core/geometry/shape";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { stub } from "@wavescope/core/stub";
import { showObject } from "./showObject";

const centreOn = vi.hoisted(() => vi.fn());
const fit = vi.hoisted(() => vi.fn());
vi.mock("@wavescope/viewer/navigation/moves", () => ({
  centreOn,
  fit: (_: unknown, ...given: unknown[]) => void fit(...given),
}));

const region = { l0_x: 1000, l0_y: 1000, l0_width: 400, l0_height: 300 };
const microscope = { reading: () => ({ region, scale: 1 }) };
beforeEach(() => {
  fit.mockClear();
  centreOn.mockClear();
});

const rectangle = (x: number, y: number, width: number, height: number): Shape => ({
  kind: "rectangle",
  type: "Polygon",
  parts: [[x, y, x + width, y, x + width, y + height, x, y + height, x, y]],
  groups: [1],
});
const point = (x: number, y: number): Shape => ({ kind: "point", type: "Point", parts: [[x, y]], groups: [] });

function show(shape: Shape | null, closely = false): void {
  const store = { get: () => shape && { shape } };
  showObject(stub<Annotations>({ store, layer: { microscope: microscope } }), "a", closely);
}

describe("bringing an object into view", () => {
  it("moves nothing where it lies in view, or is gone", () => {
    show(rectangle(1100, 1100, 50, 50));
    show(point(1000, 1300));
    show(null);
    expect([fit.mock.calls, centreOn.mock.calls]).toEqual([[], []]);
  });

  it.each([
    ["beside the view", rectangle(2000, 1100, 50, 60), [2025, 1130]],
    ["partly in view", rectangle(990, 1100, 50, 60), [1015, 1130]],
    ["a point outside", point(10, 20), [10, 20]],
  ])("centres on what lies %s, at the same scale", (_, shape, [x, y]) => {
    show(shape);
    expect(centreOn).toHaveBeenCalledExactlyOnceWith(microscope, x, y);
    expect(fit).not.toHaveBeenCalled();
  });

  it("fits what is larger than the view, with a margin on each side", () => {
    show(rectangle(0, 0, 1000, 100));
    const [[fitted, immediately]] = fit.mock.calls as [[Record<string, number>, boolean]];
    expect(immediately).toBe(false);
    expect(fitted.l0_x).toBeCloseTo(-350);
    expect(fitted.l0_y).toBeCloseTo(-35);
    expect(fitted.l0_width).toBeCloseTo(1700);
    expect(fitted.l0_height).toBeCloseTo(170);
    expect(centreOn).not.toHaveBeenCalled();
  });

  it("closely fills the view with it, also where it is in view already; a point is centred on", () => {
    show(rectangle(1100, 1100, 50, 50), true);
    expect(fit).toHaveBeenCalledOnce();
    show(point(1100, 1100), true);
    expect(centreOn).toHaveBeenCalledExactlyOnceWith(microscope, 1100, 1100);
    expect(fit).toHaveBeenCalledOnce();
  });
});
