import { beforeEach, describe, expect, it, vi } from "vitest";
import type OpenSeadragon from "openseadragon";
import { stub } from "@wavescope/core/stub";
import { SlideViewport } from "./slideViewport";
import { FakePoint, FakeViewer } from "../testing";

vi.mock("openseadragon", async () => (await import("../testing")).fakeOpenSeadragon);

let viewer: FakeViewer;
let viewport: SlideViewport;
beforeEach(() => {
  viewer = Object.assign(new FakeViewer(), { drawer: { canvas: { width: 800, height: 600 } } });
  viewport = new SlideViewport(stub<OpenSeadragon.Viewer>(viewer), { width: 4000, height: 3000 });
});

describe("SlideViewport", () => {
  it("reads the field in level-0 pixels, and device pixels per level-0 pixel", () => {
    viewer.viewport.zoomTo(5);
    viewer.viewport.panTo(new FakePoint(0.25, 0.5));
    const { region, scale } = viewport.reading();
    expect(region).toEqual({ l0_x: 600, l0_y: 1700, l0_width: 800, l0_height: 600 });
    expect(scale).toBe(1);
  });

  it("finds the scale at which a region just fits, whatever its shape", () => {
    expect(viewport.scaleToFit({ l0_x: 0, l0_y: 0, l0_width: 400, l0_height: 100 })).toBe(2);
    expect(viewport.scaleToFit({ l0_x: 0, l0_y: 0, l0_width: 100, l0_height: 1200 })).toBe(0.5);
  });

  it("turns as OpenSeadragon says, in [0, 360)", () => {
    viewer.viewport.rotateTo(-90);
    viewer.viewport.setFlip(true);
    expect(viewport.turn()).toEqual({ rotation: 270, flip: true });
    expect(viewport.targetRotation()).toBe(-90);
  });

  it.each([
    [0, 1000, 700, { ln_x: 1000, ln_y: 700 }],
    [2, 1001, 703, { ln_x: 250, ln_y: 175 }],
    [3, -9, 0, { ln_x: -2, ln_y: 0 }],
  ])("aligns level %i at (%i, %i) to whole pixels", (level, l0_x, l0_y, corner) => {
    const { region, alignment } = viewport.align(l0_x, l0_y, level);
    expect(alignment).toEqual({ level, ...corner, width: 800, height: 600 });
    expect(region).toEqual({
      l0_x: corner.ln_x * 2 ** level,
      l0_y: corner.ln_y * 2 ** level,
      l0_width: 800 * 2 ** level,
      l0_height: 600 * 2 ** level,
    });
  });
});
