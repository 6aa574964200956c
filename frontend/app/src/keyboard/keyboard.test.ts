import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { panelState } from "../microscope/panelState";
import type { Command, SlideContext } from "../microscope/parts";
import { keyMap } from "../ui/keys/keyMap";
import { commandOf, listenToKeys } from "./keyboard";

const context = { mayHost: true } as SlideContext;
const command = (id: string, keys: readonly string[], available?: Command["available"]): Command => ({
  id,
  group: "G",
  title: id,
  keys,
  available,
  run: () => undefined,
});

describe("the command of a key", () => {
  it("is the one that names it, among all its keys", () => {
    const list = [command("in", ["+", "="]), command("out", ["-"])];
    expect(["+", "=", "-"].map((key) => commandOf(key, context, list)?.id)).toEqual(["in", "in", "out"]);
  });

  it("is none for a key that is not named, or for a part of a name", () => {
    const list = [command("bold", ["Mod+b"]), command("none", [])];
    expect(["b", "Mod", "", "mod+b"].map((key) => commandOf(key, context, list))).toEqual([null, null, null, null]);
  });

  it("is the first that is available: a key may serve two commands in turn", () => {
    let drawing = true;
    const list = [command("corner", ["Delete"], () => drawing), command("object", ["Delete"])];
    expect(commandOf("Delete", context, list)?.id).toBe("corner");
    drawing = false;
    expect(commandOf("Delete", context, list)?.id).toBe("object");
  });

  it("is the one that the user gave the key to, and no more the one that had it (PG88)", () => {
    const list = [command("in", ["+"]), command("out", ["-"])];
    keyMap.setState({ in: ["z"], out: ["+"] });
    expect(["+", "-", "z"].map((key) => commandOf(key, context, list)?.id)).toEqual(["out", undefined, "in"]);
    keyMap.setState({}, true);
  });

  it("asks with the context of the page", () => {
    const available = vi.fn(() => false);
    expect(commandOf("x", context, [command("one", ["x"], available)])).toBeNull();
    expect(available).toHaveBeenCalledExactlyOnceWith(context);
  });
});

describe("pressing a key", () => {
  /** An element of the page: the ones that it lies in. */
  class FakeElement {
    constructor(private readonly within: string = "") {}
    closest = (selectors: string): object | null =>
      selectors.split(", ").includes(this.within) ? { selectors } : null;
  }
  const canvas = new FakeElement(); // in the container; a click into the picture gives it the focus
  const container = Object.assign(new FakeElement(), {
    contains: (one: unknown) => one === container || one === canvas,
  }) as object as HTMLElement;
  const here = { mayHost: true, container } as SlideContext;

  let page: EventTarget;
  let stop: () => void;
  const moved = vi.fn();
  const switched = vi.fn();
  const list: Command[] = [
    { ...command("move", ["ArrowLeft", "m"]), repeats: true, run: moved },
    { ...command("switch", ["s", "Mod+k"]), run: switched },
    { ...command("never", ["n"], () => false), run: switched },
  ];
  beforeEach(() => {
    vi.clearAllMocks();
    panelState.setState({ keysEverywhere: true });
    page = new EventTarget();
    vi.stubGlobal("document", page);
    vi.stubGlobal("Element", FakeElement);
    stop = listenToKeys(here, list);
  });
  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
  });

  interface Press {
    readonly target?: object;
    readonly repeat?: boolean;
    readonly isComposing?: boolean;
    readonly ctrlKey?: boolean;
    readonly altKey?: boolean;
    readonly altGraph?: boolean;
  }

  /** Whether the page took the key for itself. */
  function press(key: string, { target = new FakeElement(), altGraph = false, ...rest }: Press = {}): boolean {
    const event = new Event("keydown", { cancelable: true });
    const modifiers = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
    Object.assign(event, { key, ...modifiers, repeat: false, isComposing: false, ...rest });
    Object.assign(event, { getModifierState: (name: string) => name === "AltGraph" && altGraph });
    Object.defineProperty(event, "target", { value: target });
    page.dispatchEvent(event);
    return event.defaultPrevented;
  }

  it("runs its command with the context of the page, and takes the key from the browser", () => {
    expect(press("ArrowLeft")).toBe(true);
    expect(moved).toHaveBeenCalledExactlyOnceWith(here);
  });

  it("leaves the key to the browser where no command can be run", () => {
    expect([press("x"), press("n"), press("s", { ctrlKey: true })]).toEqual([false, false, false]);
    expect([moved.mock.calls, switched.mock.calls]).toEqual([[], []]);
  });

  it("and holding it down repeats a move, not a switch, which does not scroll the page either", () => {
    expect([press("ArrowLeft", { repeat: true }), press("s", { repeat: true })]).toEqual([true, true]);
    expect([moved.mock.calls.length, switched.mock.calls.length]).toEqual([1, 0]);
  });

  it.each(["input", "textarea", "select", "[role=dialog]", "[role=slider]", "[role=menu]"])(
    "in %s belongs to that control",
    (within) => {
      expect(press("s", { target: new FakeElement(within) })).toBe(false);
      expect(switched).not.toHaveBeenCalled();
    },
  );

  it("that a control has handled, or that composes a letter, is none of the page's", () => {
    page.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
    stop();
    stop = listenToKeys(here, list); // after the control
    press("s");
    press("s", { isComposing: true });
    expect(switched).not.toHaveBeenCalled();
  });

  it("with AltGraph is the sign that it types, not a shortcut with Ctrl and Alt", () => {
    press("m", { ctrlKey: true, altKey: true, altGraph: true });
    expect(moved).toHaveBeenCalledOnce();
  });

  it("only on the picture runs letters, where the user has chosen so; other keys run anywhere", () => {
    panelState.setState({ keysEverywhere: false });
    expect([press("m"), press("m", { target: container }), press("ArrowLeft")]).toEqual([false, true, true]);
    expect(press("m", { target: canvas })).toBe(true);
    expect(press("k", { ctrlKey: true })).toBe(true);
    expect(moved).toHaveBeenCalledTimes(3);
  });

  it("of a field that vanished while its user typed goes nowhere, until the user goes elsewhere", () => {
    const field = Object.assign(new FakeElement("textarea"), { isConnected: true });
    press("s", { target: field });
    field.isConnected = false;
    expect([press("s"), press("ArrowLeft")]).toEqual([true, true]);
    expect([switched, moved].map((run) => run.mock.calls.length)).toEqual([0, 0]);
    page.dispatchEvent(new Event("pointerdown"));
    expect(press("s")).toBe(true);
    expect(switched).toHaveBeenCalledOnce();
  });

  it.each(["Escape", "Enter", "Tab"])("after a field was left by %s is a command again", (key) => {
    const field = Object.assign(new FakeElement("textarea"), { isConnected: true });
    press("a", { target: field });
    press(key, { target: field });
    field.isConnected = false;
    press("s");
    expect(switched).toHaveBeenCalledOnce();
  });

  it("does nothing once the slide is closed", () => {
    stop();
    expect(press("s")).toBe(false);
  });
});
