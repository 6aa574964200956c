import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Microscope } from "../core/microscope";
import { stub } from "@wavescope/core/stub";
import { centreOn, mirror, panBy, smallestScale, turnBy, turnTo, zoomToScale } from "./moves";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const viewport = {
  rotation: 0,
  flip: false,
  getRotation: () => viewport.rotation,
  getFlip: () => viewport.flip,
  getBoundsNoRotate: () => ({ x: 0, y: 0, width: 0.4, height: 0.2 }),
  getMinZoom: () => 0.5,
  getZoom: () => 4,
  zoomBy: vi.fn(),
  panBy: vi.fn(),
  panTo: vi.fn(),
  rotateTo: vi.fn(),
  toggleFlip: vi.fn(),
  applyConstraints: vi.fn(),
};
const microscope = stub<Microscope>({
  viewer: { viewport },
  pyramid: { width: 4000, height: 3000 },
  reading: () => ({ scale: 0.25 }),
});

beforeEach(() => {
  vi.clearAllMocks();
  viewport.rotation = 0;
  viewport.flip = false;
});

describe("moving by parts of the field, in directions of the screen", () => {
  it.each<[number, boolean, number, number]>([
    [0, false, 0.2, 0.02],
    [90, false, 0.02, -0.2],
    [180, false, -0.2, -0.02],
    [270, false, -0.02, 0.2],
    [0, true, -0.2, 0.02],
  ])("of a slide turned by %i degrees, mirrored: %s", (rotation, flip, x, y) => {
    Object.assign(viewport, { rotation, flip });
    panBy(microscope, 0.5, 0.1, true);
    const [[by, immediately]] = viewport.panBy.mock.calls as [[{ x: number; y: number }, boolean]];
    expect(by.x).toBeCloseTo(x, 9);
    expect(by.y).toBeCloseTo(y, 9);
    expect(immediately).toBe(true);
    expect(viewport.applyConstraints).toHaveBeenCalledExactlyOnceWith(true);
  });
});

describe("turning", () => {
  it.each([
    [0, false, 15, 15],
    [350, false, 15, 5],
    [0, false, -15, 345],
    [0, true, 15, 345],
    [10, true, -15, 25],
  ])("from %i degrees (mirrored: %s) by %i goes to %i", (rotation, flip, by, to) => {
    Object.assign(viewport, { rotation, flip });
    turnBy(microscope, by);
    expect(viewport.rotateTo).toHaveBeenCalledExactlyOnceWith(to, undefined, false);
  });

  it("to an angle beyond a full turn goes to the same angle within it", () => {
    turnTo(microscope, -450, true);
    expect(viewport.rotateTo).toHaveBeenCalledExactlyOnceWith(270, undefined, true);
  });

  it("mirrors by changing sides", () => {
    mirror(microscope);
    expect(viewport.toggleFlip).toHaveBeenCalledOnce();
  });
});

describe("zooming", () => {
  it("to a scale zooms by what is missing", () => {
    zoomToScale(microscope, 1);
    expect(viewport.zoomBy).toHaveBeenCalledExactlyOnceWith(4);
    expect(viewport.applyConstraints).toHaveBeenCalledOnce();
  });

  it("knows the smallest scale from the smallest zoom", () => {
    expect(smallestScale(microscope)).toBe(0.03125);
  });
});

it("centres on a level-0 point: both coordinates are in widths of the slide", () => {
  centreOn(microscope, 1000, 2000);
  expect(viewport.panTo).toHaveBeenCalledExactlyOnceWith({ x: 0.25, y: 0.5 }, false);
});
