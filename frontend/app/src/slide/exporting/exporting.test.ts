import { describe, expect, it, vi } from "vitest";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { testManifest } from "@wavescope/core/wire/testing";
import type { SlideContext } from "../../microscope/parts";
import { stub } from "@wavescope/core/stub";
import { exportCommands, exporting, followExport, showCamera } from "./exporting";
import { regionInView, wholeSlide } from "./inView";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);

describe("AC50: exporting", () => {
  const offered = (allowed: string[] | null): boolean =>
    exportCommands[0]!.available!({ manifest: testManifest({ allowed } as object) } as SlideContext);

  it.each<[string[] | null, boolean]>([
    [["export"], true],
    [["edit tours", "view label"], false],
    [[], false],
  ])("is offered to who may %j: %s", (allowed, may) => {
    expect(offered(allowed)).toBe(may);
  });

  it("goes on when its dialog is closed", () => {
    const request = { x: 0, y: 0, width: 1, height: 1, level: 0, z: 0, format: "png" } as const;
    exportCommands[0]!.run({} as SlideContext);
    followExport({ id: "e1", manifest: testManifest(), request });
    showCamera(null);
    expect(exporting.getState()).toMatchObject({ open: null, started: { id: "e1" } });
    followExport(null);
    expect(exporting.getState()).toEqual({ open: null, started: null });
  });
});

describe("the region in view", () => {
  /** A view of 400 x 300 CSS pixels, turned by so many degrees, 2 level-0 pixels for each of its pixels. */
  function microscopeTurned(degrees: number, width = 5000, height = 4000): Microscope {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180) / 2, Math.sin((degrees * Math.PI) / 180) / 2];
    return stub<Microscope>({
      viewer: { element: { clientWidth: 400, clientHeight: 300 } },
      pyramid: { width, height },
      toCanvas: (x: number, y: number) => ({
        canvas_x: cos * (x - 1000) - sin * (y - 800) + 200,
        canvas_y: sin * (x - 1000) + cos * (y - 800) + 150,
      }),
    });
  }
  const expectRegion = (degrees: number, x: number, y: number, width: number, height: number): void => {
    const region = regionInView(microscopeTurned(degrees));
    expect(region.l0_x).toBeCloseTo(x, 6);
    expect(region.l0_y).toBeCloseTo(y, 6);
    expect(region.l0_width).toBeCloseTo(width, 6);
    expect(region.l0_height).toBeCloseTo(height, 6);
  };

  it("ends where the slide ends", () => {
    expect(regionInView(microscopeTurned(0, 1200, 900))).toMatchObject({
      l0_x: 600,
      l0_y: 500,
      l0_width: 600,
      l0_height: 400,
    });
  });

  it("is the field itself where the slide is upright or upside down", () => {
    expectRegion(0, 600, 500, 800, 600);
    expectRegion(180, 600, 500, 800, 600);
  });

  it("has its sides exchanged where the slide is turned by a right angle", () => {
    expectRegion(90, 700, 400, 600, 800);
  });

  it("is the rectangle around the field where the slide is turned otherwise", () => {
    const side = (800 + 600) * Math.SQRT1_2;
    expectRegion(45, 1000 - side / 2, 800 - side / 2, side, side);
  });

  it("of the whole slide has its size", () => {
    expect(wholeSlide(microscopeTurned(30))).toEqual({ l0_x: 0, l0_y: 0, l0_width: 5000, l0_height: 4000 });
  });
});
