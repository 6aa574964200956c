import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { testManifest } from "@wavescope/core/wire/testing";
import { stub } from "@wavescope/core/stub";
import type { Command, SlideContext } from "../parts";
import { viewerCommands } from "./commands";
import { turningCommands } from "./turningCommands";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
const moves = vi.hoisted(() => {
  const calls: unknown[][] = [];
  const move =
    (name: string) =>
    (_: unknown, ...rest: unknown[]) =>
      void calls.push([name, ...rest]);
  return {
    calls,
    module: {
      home: move("home"),
      mirror: move("mirror"),
      panBy: move("panBy"),
      turnBy: move("turnBy"),
      turnTo: move("turnTo"),
      zoomBy: move("zoomBy"),
      zoomToScale: move("zoomToScale"),
    },
  };
});
vi.mock("@wavescope/viewer/navigation/moves", () => moves.module);
/** How many entries of the browser's history the commands made. */
const jumps = vi.hoisted(() => ({ count: 0 }));
vi.mock("../browserHistory", () => ({
  jump: (_: unknown, move: () => void): void => {
    jumps.count += 1;
    move();
  },
}));

function contextOf(change: Parameters<typeof testManifest>[0]): SlideContext {
  const manifest = testManifest(change);
  const microscope = { manifest, plane: 2, setPlane: (plane: number) => moves.calls.push(["setPlane", plane]) };
  return stub<SlideContext>({ manifest, microscope: stub<Microscope>(microscope) });
}
const context = contextOf({ mpp: { x: 0.25, y: 0.25 }, planes: 5 });
const commandFor = (key: string): Command =>
  [...viewerCommands, ...turningCommands].find(({ keys }) => keys.includes(key))!;
const isAvailable = (key: string, where: SlideContext): boolean => commandFor(key).available?.(where) ?? true;

/** What a key does. */
function press(key: string, where = context): unknown[] {
  moves.calls.length = 0;
  commandFor(key).run(where);
  return moves.calls.flat();
}

beforeEach(() => {
  jumps.count = 0;
});

describe("keys that move the view", () => {
  it.each([
    ["ArrowLeft", [-0.125, 0]],
    ["ArrowRight", [0.125, 0]],
    ["ArrowUp", [0, -0.125]],
    ["ArrowDown", [0, 0.125]],
    ["Shift+ArrowLeft", [-0.9, 0]],
    ["Shift+ArrowRight", [0.9, 0]],
    ["Shift+ArrowUp", [0, -0.9]],
    ["Shift+ArrowDown", [0, 0.9]],
  ])("%s moves by %j fields of view", (key, [across, down]) => {
    const [name, x, y] = press(key) as [string, number, number];
    expect([name, x + 0, y + 0]).toEqual(["panBy", across, down]); // -0 is 0
  });

  it.each([
    ["r", ["turnBy", 15]],
    ["Shift+r", ["turnBy", -15]],
    ["Alt+r", ["turnTo", 0]],
    ["Shift+m", ["mirror"]],
    ["]", ["setPlane", 3]],
    ["PageUp", ["setPlane", 3]],
    ["[", ["setPlane", 1]],
    ["PageDown", ["setPlane", 1]],
  ])("%s does %j", (key, done) => {
    expect(press(key)).toEqual(done);
  });

  it("are moves, not jumps: the back button does not stop at each of them", () => {
    for (const key of ["ArrowLeft", "Shift+ArrowDown", "r", "Shift+m", "+", "-", "]"]) press(key);
    expect(jumps.count).toBe(0);
  });

  it("run again and again while they are held down, but for switches and jumps", () => {
    const repeating = ["ArrowLeft", "Shift+ArrowUp", "r", "Shift+r", "+", "=", "-", "[", "]"];
    expect(repeating.filter((key) => !commandFor(key).repeats)).toEqual([]);
    const single = ["Shift+m", "Alt+r", "g", "1", "0", "Home", "5"];
    expect(single.filter((key) => commandFor(key).repeats)).toEqual([]);
  });
});

describe("keys that zoom", () => {
  it("in and out by the same factor: one takes the other back", () => {
    const [nearer, farther] = [press("+"), press("-")] as [string, number][];
    expect([nearer![0], farther![0]]).toEqual(["zoomBy", "zoomBy"]);
    expect(nearer![1]).toBeGreaterThan(1);
    expect(nearer![1] * farther![1]).toBeCloseTo(1, 12);
    expect(press("=")).toEqual(nearer);
  });

  it("to 1:1 and to the whole slide are jumps: the back button takes them back", () => {
    expect([press("1"), press("0"), press("Home")]).toEqual([["zoomToScale", 1], ["home"], ["home"]]);
    expect(jumps.count).toBe(3);
  });
});

describe("keys of the turret", () => {
  const keys = ["2", "3", "4", "5", "6", "7", "8", "9"];

  it("zoom to the objectives of a slide that was scanned at 40x, in order, each a jump", () => {
    const scales = keys.map((key) => press(key)[1]);
    expect(scales).toEqual([1.25, 2.5, 5, 10, 20, 40, 63, 100].map((magnification) => magnification / 40));
    expect(jumps.count).toBe(keys.length);
  });

  it("are only those that the viewer can zoom to", () => {
    const weak = contextOf({ mpp: { x: 2, y: 2 } }); // 5x, at most 4 device pixels per pixel
    expect(keys.filter((key) => isAvailable(key, weak))).toEqual(["2", "3", "4", "5", "6"]);
  });

  it("are none where the magnification of the slide is not known", () => {
    const unknown = contextOf({ mpp: null, objective_power: null });
    expect(keys.filter((key) => isAvailable(key, unknown))).toEqual([]);
  });
});

it("focusing is offered where there is more than one plane", () => {
  const flat = contextOf({ planes: 1 });
  expect(["[", "]"].map((key) => isAvailable(key, context))).toEqual([true, true]);
  expect(["[", "]"].map((key) => isAvailable(key, flat))).toEqual([false, false]);
});
