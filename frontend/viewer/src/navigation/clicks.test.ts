import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Microscope } from "../core/microscope";
import { stub } from "@wavescope/core/stub";
import { pickPositions, handleClicks } from "./clicks";
import { onScreen, underScreen } from "./pointing";

vi.mock("openseadragon", () => ({ default: { pixelDensityRatio: 2 } }));

class Position {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
  distanceTo = (other: Position): number => Math.hypot(other.x - this.x, other.y - this.y);
}

const handlers = new Map<string, Set<(event: object) => void>>();
const viewer = {
  element: { dataset: {} as Record<string, string> },
  addHandler: (name: string, handler: (event: object) => void) =>
    handlers.set(name, (handlers.get(name) ?? new Set()).add(handler)),
  removeHandler: (name: string, handler: (event: object) => void) => handlers.get(name)?.delete(handler),
};
/** Two device pixels per CSS pixel, 4 device pixels per level-0 pixel, the slide turned by a quarter. */
const toCanvas = (x: number, y: number) => ({ canvas_x: 100 - 4 * y, canvas_y: 20 + 4 * x });
const microscope = stub<Microscope>({ viewer, toCanvas });

function raise(name: string, x = 0, y = 0): { preventDefaultAction?: boolean } {
  const event: { position: Position; preventDefaultAction?: boolean } = { position: new Position(x, y) };
  for (const handler of handlers.get(name) ?? []) handler(event);
  return event;
}
function click(from: [number, number], to = from): { preventDefaultAction?: boolean } {
  raise("canvas-press", ...from);
  return raise("canvas-click", ...to);
}

beforeEach(() => handlers.clear());

describe("points of the slide and of the screen", () => {
  it("a level-0 point lies at CSS pixels, whatever the screen's density", () => {
    expect(onScreen(microscope, 5, 10)).toEqual({ css_x: 30, css_y: 20 });
  });

  it.each([
    [0, 0],
    [5, 10],
    [-300, 12_345],
  ])("what lies under the place of (%i, %i) is that point", (l0_x, l0_y) => {
    const under = underScreen(microscope, onScreen(microscope, l0_x, l0_y));
    expect(under.l0_x).toBeCloseTo(l0_x, 6);
    expect(under.l0_y).toBeCloseTo(l0_y, 6);
  });
});

describe("a click on the picture", () => {
  it("is handed on where the pointer was held still, and does not zoom", () => {
    const clicked = vi.fn();
    handleClicks(microscope, clicked);
    expect(click([10, 10], [13, 14]).preventDefaultAction).toBe(true);
    expect(clicked).toHaveBeenCalledExactlyOnceWith({ css_x: 13, css_y: 14 });
  });

  it("that drags the picture is none", () => {
    const clicked = vi.fn();
    handleClicks(microscope, clicked);
    expect(click([10, 10], [14, 14]).preventDefaultAction).toBeUndefined();
    expect(clicked).not.toHaveBeenCalled();
  });

  it("twice does not zoom", () => {
    handleClicks(microscope, () => undefined);
    expect(raise("canvas-double-click").preventDefaultAction).toBe(true);
  });

  it("that was pressed before listening began is none", () => {
    const clicked = vi.fn();
    raise("canvas-press", 10, 10);
    handleClicks(microscope, clicked);
    raise("canvas-click", 10, 10);
    expect(clicked).not.toHaveBeenCalled();
  });

  it("picks the level-0 point under it, and shows so by the pointer until it is stopped", () => {
    const picked = vi.fn();
    const stop = pickPositions(microscope, picked);
    expect(viewer.element.dataset.picking).toBe("true");
    click([30, 20]);
    const [[spot]] = picked.mock.calls as [[{ l0_x: number; l0_y: number }]];
    expect(spot.l0_x).toBeCloseTo(5, 6);
    expect(spot.l0_y).toBeCloseTo(10, 6);
    stop();
    click([30, 20]);
    expect([picked.mock.calls.length, viewer.element.dataset.picking]).toEqual([1, "false"]);
    expect([...handlers.values()].every((set) => set.size === 0)).toBe(true);
  });
});
