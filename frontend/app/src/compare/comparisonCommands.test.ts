import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { emptyAddress } from "@wavescope/viewer/compare/address";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { createComparisonStore } from "@wavescope/viewer/compare/comparisonState";
import type { SlideContext } from "../microscope/parts";
import { commandOf } from "../keyboard/keyboard";
import { stub } from "@wavescope/core/stub";
import { comparisonCommands } from "./comparisonCommands";

vi.mock("openseadragon", () => ({ default: { DrawerBase: Object, TileSource: Object } })); // it wants a document

const focused: number[] = [];
const microscopeOf = (pane: number) =>
  stub<Microscope>({ viewer: { element: { focus: () => void focused.push(pane) } } });
const state = createComparisonStore({ ...emptyAddress(3), blend: 0.5 });
const marks = createStore(() => ({ on: false }));
const comparison = {
  state,
  microscopes: [0, 1, 2].map(microscopeOf),
  marking: {
    state: marks,
    setOn: vi.fn((on: boolean) => marks.setState({ on })),
    markMiddle: vi.fn(),
    undo: vi.fn(),
  },
  link: vi.fn(),
  unlink: vi.fn(),
  alignCentres: vi.fn(),
  alignAutomatically: vi.fn(),
  setMode: vi.fn((mode: "side" | "swipe") => state.setState({ mode })),
  swap: vi.fn(),
  setBlend: vi.fn(),
};
const commands = comparisonCommands(stub<Comparison>(comparison));
const context = stub<SlideContext>({
  microscope: { manifest: { mpp: null, objectivePower: null } },
  manifest: { planes: 1 },
});
const press = (key: string): string | null => {
  const command = commandOf(key, context, commands);
  command?.run(context);
  return command?.id ?? null;
};

beforeEach(() => {
  vi.clearAllMocks();
  comparison.state.setState({ mode: "side", swiped: [0, 1], links: null, active: 0, blend: 0.5 });
  comparison.marking.state.setState({ on: false });
  focused.length = 0;
});

it("gives every command of two slides a name of its own and no key to two of them", () => {
  const ids = commands.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const keys = commands.flatMap((command) => command.keys);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

describe("the keys of two slides", () => {
  it("link them, and unlink them where they are linked", () => {
    press("l");
    comparison.state.setState({ links: [] });
    press("l");
    expect([comparison.link.mock.calls.length, comparison.unlink.mock.calls.length]).toEqual([1, 1]);
  });

  it("change between side by side and swiping", () => {
    press("s");
    press("s");
    expect(comparison.setMode.mock.calls).toEqual([["swipe"], ["side"]]);
  });

  it.each(["x", "<", ">", "d"])("%s does something only while swiping", (key) => {
    expect(commandOf(key, context, commands)).toBeNull();
    comparison.state.setState({ mode: "swipe" });
    expect(commandOf(key, context, commands)?.id).toMatch(/^comparison\./);
  });

  it("blend by tenths, in both directions", () => {
    comparison.state.setState({ mode: "swipe" });
    press("<");
    press(">");
    expect(comparison.setBlend.mock.calls.map(([blend]) => Number((blend as number).toFixed(6)))).toEqual([0.4, 0.6]);
  });

  it("mark and take back only while landmarks are marked, on the slide that is active", () => {
    expect([press("m"), press("Mod+z")]).toEqual([null, null]);
    press("Shift+l");
    comparison.state.setState({ active: 1 });
    press("m");
    press("Mod+z");
    expect(comparison.marking.markMiddle).toHaveBeenCalledExactlyOnceWith(1);
    expect(comparison.marking.undo).toHaveBeenCalledOnce();
    press("Shift+l");
    expect(comparison.marking.setOn.mock.calls).toEqual([[true], [false]]);
  });

  it("go to the next slide, of those that are seen", () => {
    press("o");
    comparison.state.setState({ active: 2 });
    press("o");
    comparison.state.setState({ mode: "swipe", swiped: [1, 2], active: 2 });
    press("o");
    expect(focused).toEqual([1, 0, 1]);
  });

  it("ask for one more slide, up to four", () => {
    expect(commandOf("Shift+c", context, commands)?.id).toBe("comparison.add");
    comparison.microscopes.push(microscopeOf(3));
    expect(commandOf("Shift+c", context, commands)).toBeNull();
    comparison.microscopes.pop();
  });
});
