import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { seeded } from "@wavescope/core/wire/testing";
import { FakeMicroscope, FakePoint } from "../core/testing";
import { parseViewLink, viewLinkHash } from "../core/viewLink";
import { type Adjustments, plain } from "../light/adjustments";
import { readView, readViewLink, showView, showViewLink } from "./view";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
const light = createStore<{ adjustments: Adjustments }>(() => ({ adjustments: plain }));
vi.mock("../light/light", () => ({
  readLight: () => light.getState().adjustments,
  setLight: (_: unknown, adjustments: Adjustments) => light.setState({ adjustments }),
}));

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };

let microscope: FakeMicroscope;
beforeEach(() => {
  microscope = new FakeMicroscope(SLIDE);
  light.setState({ adjustments: plain });
});

const random = seeded(7);
const between = (least: number, most: number): number => least + (most - least) * random();
const anyLink = () => ({
  l0_x: between(-500, 4500),
  l0_y: between(-500, 3500),
  scale: 2 ** between(-6, 2),
  rotation: between(0, 360),
  flip: random() < 0.5,
  plane: Math.floor(between(0, 5)),
  adjustments: random() < 0.5 ? null : { gamma: between(0.5, 2) },
});

describe("a view as a link contains it", () => {
  it("is read as it was shown, from wherever the viewer was before", () => {
    for (let round = 0; round < 200; round += 1) {
      const link = anyLink();
      showViewLink(microscope.microscope, link);
      const read = readViewLink(microscope.microscope);
      for (const key of ["l0_x", "l0_y", "scale", "rotation"] as const) expect(read[key]).toBeCloseTo(link[key], 6);
      expect(read).toMatchObject({ flip: link.flip, plane: link.plane, adjustments: link.adjustments });
    }
  });

  it("shows the same view to the next reader, within what the address rounds", () => {
    for (let round = 0; round < 200; round += 1) {
      showViewLink(microscope.microscope, anyLink());
      const link = readViewLink(microscope.microscope);
      const read = parseViewLink(viewLinkHash(link))!;
      expect(Math.hypot(read.l0_x - link.l0_x, read.l0_y - link.l0_y)).toBeLessThan(0.1);
      expect(read.scale / link.scale).toBeCloseTo(1, 4);
      expect(read).toMatchObject({ flip: link.flip, plane: link.plane, adjustments: link.adjustments });
    }
  });

  it("resets the adjustments that it does not have", () => {
    light.setState({ adjustments: { ...plain, gamma: 2 } });
    showViewLink(microscope.microscope, { ...anyLink(), adjustments: null });
    expect(light.getState().adjustments).toEqual(plain);
  });

  it("stays on the planes that the slide has", () => {
    showViewLink(microscope.microscope, { ...anyLink(), plane: 99 });
    expect(readViewLink(microscope.microscope).plane).toBe(4);
  });

  it("is animated unless it is to be shown immediately", () => {
    const { viewport } = microscope.viewer;
    const ways = [vi.spyOn(viewport, "panTo"), vi.spyOn(viewport, "applyConstraints")];
    showViewLink(microscope.microscope, anyLink());
    showViewLink(microscope.microscope, anyLink(), true);
    for (const way of ways) expect(way.mock.calls.map((call: unknown[]) => call.at(-1))).toEqual([false, true]);
    expect(microscope.jumps).toBe(1); // what is shown at once is requested at once
  });
});

describe("a view with its field", () => {
  it("shows the same field on a screen of the same shape, whatever its size", () => {
    microscope.viewer.viewport.zoomTo(5);
    microscope.viewer.viewport.panTo(new FakePoint(0.3, 0.2));
    const view = readView(microscope.microscope);
    const other = new FakeMicroscope(SLIDE);
    other.viewer.resize(400, 300);
    showView(other.microscope, view);
    const shown = readView(other.microscope);
    for (const key of ["l0_x", "l0_y", "l0_width", "l0_height"] as const) expect(shown[key]).toBeCloseTo(view[key], 6);
  });

  it.each([
    ["wide", 1600, 300],
    ["tall", 300, 900],
    ["square", 500, 500],
  ])(
    "shows all of the field on a %s screen, around the same centre, and fills one of its sides",
    (_, width, height) => {
      const view = { ...readView(microscope.microscope), l0_x: 1500, l0_y: 1200, l0_width: 400, l0_height: 300 };
      microscope.viewer.resize(width, height);
      showView(microscope.microscope, view);
      const shown = readView(microscope.microscope);
      expect([shown.l0_x, shown.l0_y].map(Math.round)).toEqual([1500, 1200]);
      const spare = [shown.l0_width - view.l0_width, shown.l0_height - view.l0_height];
      expect(Math.min(...spare)).toBeCloseTo(0, 6);
      expect(Math.max(...spare)).toBeGreaterThanOrEqual(0);
    },
  );
});
