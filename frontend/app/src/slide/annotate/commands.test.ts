import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Shape } from "@wavescope/core/geometry/shape";
import type { SlideContext } from "../../microscope/parts";
import { commandOf } from "../../keyboard/keyboard";
import { stub } from "@wavescope/core/stub";
import { annotateCommands, leaveInnermost } from "./commands";

const point: Shape = { kind: "point", type: "Point", parts: [[100, 200]], groups: [] };
const start = {
  tool: null as string | null,
  draft: null as object | null,
  selected: [] as readonly string[],
  editable: true,
  canUndo: false,
  canRedo: false,
  visible: true,
};
const state = createStore(() => start);
const store = {
  state,
  mayChange: (id: string) => !id.startsWith("theirs"),
  get: () => ({ shape: point }),
  set: vi.fn((change: object) => state.setState(change)),
  patch: vi.fn(),
  remove: vi.fn(),
  undo: vi.fn(),
  redo: vi.fn(),
};
const interaction = { key: vi.fn() };
const annotations = { store, interaction, layer: { slidePoint: () => ({ pixel: 2.5 }) } };
const open = vi.hoisted(() => ({ open: true }));
vi.mock("@wavescope/viewer/annotate/annotations", () => ({
  annotationsOf: () => annotations,
  openAnnotations: () => (open.open ? annotations : null),
  isEditing: () => state.getState().draft !== null || state.getState().selected.length > 0,
}));

/** What a click into the picture gives the focus to lies in the container. */
const canvas = {};
const container = stub<HTMLElement>({ contains: (one: unknown) => one === container || one === canvas });
const context = stub<SlideContext>({ microscope: {}, container });
const idOf = (key: string): string | null => commandOf(key, context, annotateCommands)?.id ?? null;
const press = (key: string): void => commandOf(key, context, annotateCommands)!.run(context);

beforeEach(() => {
  vi.clearAllMocks();
  store.state.setState(start, true);
  open.open = true;
  vi.stubGlobal("document", { activeElement: container, body: {} });
});
afterEach(() => vi.unstubAllGlobals());

describe("tools by keys", () => {
  it("are taken up, and put away by the same key, with what was begun", () => {
    press("q");
    expect(store.set).toHaveBeenLastCalledWith({ tool: "rectangle", draft: null });
    press("q");
    expect(store.set).toHaveBeenLastCalledWith({ tool: null, draft: null });
  });

  it("AN23: those that measure are left to who may not annotate", () => {
    store.state.setState({ editable: false });
    expect(["x", "m", "k", "q", "e", "d", "s", "w", "y"].filter((key) => idOf(key) !== null)).toEqual(["m", "k", "d"]);
  });
});

describe("Escape", () => {
  it("leaves the innermost: first the shape, then the tool, then the selection, then nothing", () => {
    store.state.setState({ draft: {}, tool: "line", selected: ["a"] });
    expect(leaveInnermost(context.microscope)).toBe(true);
    expect(interaction.key).toHaveBeenCalledExactlyOnceWith("cancel");
    store.state.setState({ draft: null });
    expect(leaveInnermost(context.microscope)).toBe(true);
    expect(store.set).toHaveBeenLastCalledWith({ tool: null });
    expect(leaveInnermost(context.microscope)).toBe(true);
    expect(store.set).toHaveBeenLastCalledWith({ selected: [] });
    expect([leaveInnermost(context.microscope), idOf("Escape")]).toEqual([false, null]);
  });

  it("is nothing where annotations are not open", () => {
    open.open = false;
    expect(leaveInnermost(context.microscope)).toBe(false);
  });
});

describe("Enter", () => {
  it("puts a corner down where the picture has the focus, not on a button", () => {
    store.state.setState({ tool: "line" });
    expect(idOf("Enter")).toBe("annotate.place");
    vi.stubGlobal("document", { activeElement: canvas, body: {} });
    expect(idOf("Enter")).toBe("annotate.place");
    vi.stubGlobal("document", { activeElement: {}, body: {} });
    expect([idOf("Enter"), idOf("Shift+Enter")]).toEqual([null, "annotate.finish"]);
  });

  it("is nothing without a tool", () => {
    expect([idOf("Enter"), idOf("Shift+Enter")]).toEqual([null, null]);
  });
});

describe.each(["Delete", "Backspace"])("%s", (key) => {
  it("takes the last corner of a shape that is being drawn, and deletes the selection otherwise", () => {
    store.state.setState({ draft: {}, selected: ["a"] });
    press(key);
    expect([interaction.key.mock.calls, store.remove.mock.calls]).toEqual([[["back"]], []]);
    store.state.setState({ draft: null });
    press(key);
    expect(store.remove).toHaveBeenCalledExactlyOnceWith(["a"]);
  });

  it("spares a selection with another's annotation in it", () => {
    store.state.setState({ selected: ["a", "theirs"] });
    press(key);
    expect([store.remove.mock.calls, idOf("Alt+ArrowLeft")]).toEqual([[], null]);
  });

  it("does so wherever the focus is, and is nothing where nothing is selected", () => {
    vi.stubGlobal("document", { activeElement: {}, body: {} });
    store.state.setState({ selected: ["a"] });
    expect(idOf(key)).toBe("annotate.delete");
    store.state.setState({ selected: [] });
    expect(idOf(key)).toBeNull();
  });
});

describe("moving the selection by keys", () => {
  it.each([
    ["Alt+ArrowLeft", [90, 200]],
    ["Alt+ArrowRight", [110, 200]],
    ["Alt+ArrowUp", [100, 190]],
    ["Alt+ArrowDown", [100, 210]],
  ])("%s moves it by four CSS pixels, at any zoom", (key, part) => {
    store.state.setState({ selected: ["a"] });
    press(key);
    expect(store.patch).toHaveBeenCalledOnce();
    const [ids, change] = store.patch.mock.calls[0] as [string[], { shape: Shape }];
    expect([ids, change.shape.parts.map((one) => [...one])]).toEqual([["a"], [part]]);
  });
});

describe("taking back", () => {
  it("is offered where there is something to take back or do again", () => {
    expect([idOf("Mod+z"), idOf("Mod+y")]).toEqual([null, null]);
    store.state.setState({ canUndo: true, canRedo: true });
    press("Mod+z");
    press("Mod+y");
    press("Mod+Shift+z");
    expect([store.undo.mock.calls.length, store.redo.mock.calls.length]).toEqual([1, 2]);
  });
});

it("all annotations are hidden and shown", () => {
  press("Shift+h");
  press("Shift+h");
  expect(store.set.mock.calls).toEqual([[{ visible: false }], [{ visible: true }]]);
});
