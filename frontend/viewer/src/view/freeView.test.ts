import { expect, it, vi } from "vitest";
import { FakeMicroscope } from "../core/testing";
import { coverWith } from "../navigation/freePart";
import { readFreeView, showFreeView } from "./freeView";
import { readView, showView } from "./view";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
vi.mock("../light/light", async () => (await import("../light/testing")).lightModule);

const SLIDE = { id: "he", width: 4000, height: 4000, planes: 1, mpp: null, planeSpacingUm: null };

function open(offsetWidth: number, offsetHeight: number) {
  const { microscope } = new FakeMicroscope(SLIDE);
  Object.assign(microscope.viewer.element, { clientWidth: 1000, clientHeight: 1000 });
  const cover = (on: boolean): void =>
    coverWith(microscope, on ? ({ offsetWidth, offsetHeight } as HTMLElement) : null);
  return { microscope, cover };
}

it.each([
  [250, 1000, 0],
  [250, 1000, 90],
  [1000, 400, 0],
  [1000, 400, 30],
])(
  "a view made beside a panel of %i x %i, turned by %i degrees, is what was seen beside it (PG80)",
  (width, height, turn) => {
    const { microscope, cover } = open(width, height);
    showView(microscope, { ...readView(microscope), l0_x: 1000, l0_y: 1200, rotation: turn }, true);
    const whole = readView(microscope);
    expect(readFreeView(microscope)).toEqual(whole);
    cover(true);
    const free = readFreeView(microscope);
    expect(free.l0_width * free.l0_height).toBeLessThan(0.8 * whole.l0_width * whole.l0_height);

    showView(microscope, { ...whole, l0_x: 3000, l0_y: 100, rotation: 0 }, true);
    showFreeView(microscope, free, true);
    const again = readFreeView(microscope);
    for (const key of ["l0_x", "l0_y", "l0_width", "l0_height"] as const) expect(again[key]).toBeCloseTo(free[key], 3);

    cover(false);
    showFreeView(microscope, free, true);
    const { l0_x, l0_y } = readView(microscope);
    expect([l0_x, l0_y]).toEqual([expect.closeTo(free.l0_x, 3), expect.closeTo(free.l0_y, 3)]);
  },
);
