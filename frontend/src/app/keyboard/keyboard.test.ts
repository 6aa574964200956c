import { describe, expect, it, vi } from "vitest";
import type { Command, SlideContext } from "../microscope/parts";
import { commandOf } from "./keyboard";

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

  it("asks with the context of the page", () => {
    const available = vi.fn(() => false);
    expect(commandOf("x", context, [command("one", ["x"], available)])).toBeNull();
    expect(available).toHaveBeenCalledExactlyOnceWith(context);
  });
});
