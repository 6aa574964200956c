import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { point } from "../../../geometry/shape";
import type { Painter } from "./painter";
import type { Chunk, Drawable } from "./scene";
import { SceneKeeper } from "./sceneBuilder";

let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => void (frames[frame - 1] = () => undefined));
});
afterEach(() => void vi.unstubAllGlobals());

function world(count = 3) {
  const objects = new Map<string, Drawable>();
  const put = (id: string, x: number): void =>
    void objects.set(id, { id, shape: point("point", x, 0), color: 0xff0000ff } as Drawable);
  for (let i = 0; i < count; i += 1) put(`${i}`, i);
  const painter = { erase: vi.fn(), forget: vi.fn() };
  const redraw = vi.fn();
  const keeper = new SceneKeeper(
    painter as unknown as Painter,
    () => objects.values(),
    (id) => objects.get(id) ?? null,
    redraw,
  );
  /** Runs frames until nothing is left to build. */
  const build = (): void => {
    while (!keeper.settled || frames.length > 0) frames.shift()?.();
  };
  const drawn = (): string[] => keeper.chunks.flatMap((chunk: Chunk) => [...chunk.spans.keys()]).sort();
  keeper.rebuild();
  build();
  return { objects, put, painter, redraw, keeper, build, drawn };
}

describe("SceneKeeper", () => {
  it("builds all objects in frames, and says when it has", () => {
    const { keeper, drawn } = world();
    expect(keeper.settled).toBe(true);
    expect(drawn()).toEqual(["0", "1", "2"]);
  });

  it("draws a changed object from a chunk of its own, and takes it out of the one that it was in", () => {
    const { keeper, put, painter, drawn, redraw } = world();
    redraw.mockClear();
    put("1", 50);
    put("new", 60);
    keeper.change(["1", "new"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(drawn()).toEqual(["0", "1", "1", "2", "new"]);
    expect([...keeper.chunks.at(-1)!.spans.keys()].sort()).toEqual(["1", "new"]);
    expect(redraw).toHaveBeenCalledOnce();
  });

  it("draws a deleted object no more", () => {
    const { keeper, objects, painter } = world();
    objects.delete("1");
    keeper.change(["1"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(keeper.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()])).toEqual([]);
  });

  it("leaves hidden objects out, also when everything is built anew, and shows them again", () => {
    const { keeper, painter, build } = world();
    const others = (): string[] => keeper.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()]);
    keeper.hide(["1"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(others()).toEqual([]);
    keeper.hide(["1"]);
    expect(painter.erase).toHaveBeenCalledOnce();
    keeper.rebuild();
    build();
    expect(painter.erase).toHaveBeenCalledTimes(2);
    keeper.hide([]);
    expect(others()).toEqual(["1"]);
  });

  it("builds everything anew after a thousand changes", () => {
    const { keeper, put, build, drawn } = world(0);
    const ids = Array.from({ length: 1001 }, (_, i) => `n${i}`);
    ids.forEach(put);
    keeper.change(ids);
    expect(keeper.settled).toBe(false);
    build();
    expect(drawn()).toEqual([...ids].sort());
  });

  it("finishes what is being built before it begins again, so that something is seen meanwhile", () => {
    const { keeper, put, build, drawn, redraw } = world();
    keeper.rebuild();
    put("late", 9);
    keeper.rebuild();
    expect(keeper.settled).toBe(false);
    redraw.mockClear();
    build();
    expect(redraw).toHaveBeenCalledTimes(2);
    expect(drawn()).toEqual(["0", "1", "2", "late"]);
  });

  it("shows what changed while it was being built", () => {
    const { keeper, put, build } = world();
    keeper.rebuild();
    put("0", 77);
    keeper.change(["0"]);
    build();
    expect(keeper.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()])).toEqual(["0"]);
  });

  it("builds no more once it is closed", () => {
    const { keeper } = world();
    keeper.rebuild();
    keeper.close();
    for (const frame of frames) frame();
    expect(keeper.settled).toBe(false);
  });
});
