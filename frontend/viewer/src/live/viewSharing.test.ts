import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { FakeMicroscope, FakePoint } from "../core/testing";
import { type Adjustments, plain } from "../light/adjustments";
import type { View } from "../view/view";
import { SharedMicroscope, fittingScale } from "./viewSharing";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
const light = createStore<{ adjustments: Adjustments }>(() => ({ adjustments: plain }));
vi.mock("../light/light", () => ({
  lightOf: () => ({ state: light }),
  readLight: () => light.getState().adjustments,
  setLight: (_: unknown, adjustments: Adjustments) => light.setState({ adjustments }),
}));

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };

function view(change: Partial<View> = {}): View {
  return {
    l0_x: 1000,
    l0_y: 800,
    l0_width: 400,
    l0_height: 300,
    rotation: 0,
    flip: false,
    plane: 0,
    adjustments: null,
    ...change,
  };
}

let microscope: FakeMicroscope;
const handleOwnMove = vi.fn();
const sendView = vi.fn();
let shared: SharedMicroscope;
beforeEach(() => {
  light.setState({ adjustments: plain });
  microscope = new FakeMicroscope(SLIDE);
  handleOwnMove.mockClear();
  sendView.mockClear();
  shared = new SharedMicroscope(microscope.microscope, { handleOwnMove, sendView });
});

afterEach(() => shared.close());

describe("showing what another looks at", () => {
  it("shows all of the field, centred, however this screen is shaped", () => {
    shared.show(view({ l0_width: 1600, l0_height: 300, rotation: 30, flip: true, plane: 3 }));
    const now = shared.read();
    expect(now).toMatchObject({ l0_x: 1000, l0_y: 800, rotation: 30, flip: true, plane: 3 });
    expect(now.l0_width).toBeCloseTo(1600);
    expect(now.l0_height).toBeGreaterThan(300);
    expect(fittingScale(microscope.microscope, view({ l0_width: 400, l0_height: 1200 }))).toBe(0.5);
  });

  it("is not a movement of the own user: neither place, plane nor light", () => {
    shared.show(view({ plane: 2, adjustments: { brightness: 0.5 } }));
    microscope.viewer.frame();
    expect(handleOwnMove).not.toHaveBeenCalled();
    expect(light.getState().adjustments.brightness).toBe(0.5);
  });

  it("CM8: shows the mix of channels, which is no movement of the own user", () => {
    const adjustments = { c2: [0x00ff00, 10, 400, 100] };
    shared.show(view({ adjustments }));
    microscope.viewer.frame();
    expect(light.getState().adjustments.mix).toEqual(adjustments);
    expect(shared.read().adjustments).toEqual(adjustments);
    expect(handleOwnMove).not.toHaveBeenCalled();
  });

  it("shows the same field again when the element gets another size", () => {
    shared.show(view());
    microscope.viewer.resize(400, 400);
    const now = shared.read();
    expect(now.l0_x).toBeCloseTo(1000);
    expect(now.l0_y).toBeCloseTo(800);
    expect(now.l0_width).toBeCloseTo(400);
    expect(handleOwnMove).not.toHaveBeenCalled();
  });

  it("leaves the picture where it is once it is released", () => {
    shared.show(view());
    shared.release();
    microscope.viewer.resize(400, 300);
    expect(shared.read().l0_width).toBeCloseTo(400);
    microscope.viewer.viewport.panTo(new FakePoint(0.5, 0.5));
    microscope.viewer.resize(800, 600);
    expect(shared.read().l0_x).toBe(2000);
  });
});

describe("the own user's movements", () => {
  it.each<[string, () => void]>([
    ["pans", () => microscope.viewer.viewport.panTo(new FakePoint(0.1, 0.1))],
    ["zooms", () => microscope.viewer.viewport.zoomTo(4)],
    ["turns", () => microscope.viewer.viewport.rotateTo(45)],
    ["mirrors", () => microscope.viewer.viewport.setFlip(true)],
    ["focuses", () => microscope.setPlane(3)],
    ["changes the light", () => light.setState({ adjustments: { ...plain, gamma: 2 } })],
  ])("are reported: %s", (_, act) => {
    act();
    expect(handleOwnMove).toHaveBeenCalledOnce();
  });

  it("are not what another size of the element moves", () => {
    microscope.viewer.resize(300, 300);
    expect(handleOwnMove).not.toHaveBeenCalled();
    microscope.viewer.viewport.panTo(new FakePoint(0.1, 0.1));
    expect(handleOwnMove).toHaveBeenCalledOnce();
  });

  it("are not reported once it is closed", () => {
    shared.close();
    microscope.viewer.viewport.panTo(new FakePoint(0.1, 0.1));
    light.setState({ adjustments: { ...plain, gamma: 2 } });
    microscope.setPlane(2);
    microscope.viewer.frame();
    expect([handleOwnMove.mock.calls.length, sendView.mock.calls.length, microscope.viewer.handlerCount]).toEqual([
      0, 0, 0,
    ]);
    expect(microscope.hinted).toEqual([null]);
  });
});

describe("what is sendView at", () => {
  it("is reported when it changes, and once where it does not", () => {
    microscope.viewer.raiseEvent("animation-finish");
    expect(sendView).toHaveBeenCalledOnce();
    microscope.viewer.raiseEvent("animation-finish");
    expect(sendView).toHaveBeenCalledOnce();
    microscope.viewer.viewport.panTo(new FakePoint(0.25, 0.25));
    microscope.viewer.raiseEvent("animation-finish");
    expect(sendView).toHaveBeenLastCalledWith(shared.read(), null);
    shared.report();
    expect(sendView).toHaveBeenCalledTimes(3);
  });

  it("carries plane and light", () => {
    microscope.setPlane(4);
    light.setState({ adjustments: { ...plain, contrast: 2 } });
    expect(sendView).toHaveBeenLastCalledWith(
      expect.objectContaining({ plane: 4, adjustments: { contrast: 2 } }) as View,
      null,
    );
  });
});

describe("prefetching", () => {
  it("names the field where a motion leads to: its target, or half a second of its speed", () => {
    shared.prefetchHint(view(), null);
    shared.prefetchHint(view(), { l0_vx: 200, l0_vy: -100, target: null });
    shared.prefetchHint(view(), { l0_vx: 200, l0_vy: 0, target: view({ l0_x: 3000, rotation: 10, plane: 2 }) });
    const region = (l0_x: number, l0_y: number) => ({ l0_x, l0_y, l0_width: 400, l0_height: 300 });
    expect(microscope.hinted).toEqual([
      { region: region(800, 650), rotation: 0, plane: 0 },
      { region: region(900, 600), rotation: 0, plane: 0 },
      { region: region(2800, 650), rotation: 10, plane: 2 },
    ]);
  });
});
