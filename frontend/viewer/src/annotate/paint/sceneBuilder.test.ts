import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { point } from "@wavescope/core/geometry/shape";
import { stub } from "@wavescope/core/stub";
import type { Painter } from "./painter";
import type { Chunk, Drawable } from "./scene";
import { SceneBuilder } from "./sceneBuilder";

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
    void objects.set(id, { id, shape: point("point", x, 0), color: 0xff0000ff });
  for (let i = 0; i < count; i += 1) put(`${i}`, i);
  const painter = { erase: vi.fn(), forget: vi.fn() };
  const redraw = vi.fn();
  const builder = new SceneBuilder(
    stub<Painter>(painter),
    () => objects.values(),
    (id) => objects.get(id) ?? null,
    redraw,
  );
  /** Runs frames until nothing is left to build. */
  const build = (): void => {
    while (!builder.settled || frames.length > 0) frames.shift()?.();
  };
  const drawn = (): string[] => builder.chunks.flatMap((chunk: Chunk) => [...chunk.spans.keys()]).sort();
  builder.rebuild();
  build();
  return { objects, put, painter, redraw, builder, build, drawn };
}

describe("SceneBuilder", () => {
  it("builds all objects in frames, and says when it has", () => {
    const { builder, drawn } = world();
    expect(builder.settled).toBe(true);
    expect(drawn()).toEqual(["0", "1", "2"]);
  });

  it("draws a changed object from a chunk of its own, and takes it out of the one that it was in", () => {
    const { builder, put, painter, drawn, redraw } = world();
    redraw.mockClear();
    put("1", 50);
    put("new", 60);
    builder.change(["1", "new"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(drawn()).toEqual(["0", "1", "1", "2", "new"]);
    expect([...builder.chunks.at(-1)!.spans.keys()].sort()).toEqual(["1", "new"]);
    expect(redraw).toHaveBeenCalledOnce();
  });

  it("draws a deleted object no more", () => {
    const { builder, objects, painter } = world();
    objects.delete("1");
    builder.change(["1"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(builder.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()])).toEqual([]);
  });

  it("leaves hidden objects out, also when everything is built anew, and shows them again", () => {
    const { builder, painter, build } = world();
    const others = (): string[] => builder.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()]);
    builder.hide(["1"]);
    expect(painter.erase.mock.calls.map(([, id]) => id as string)).toEqual(["1"]);
    expect(others()).toEqual([]);
    builder.hide(["1"]);
    expect(painter.erase).toHaveBeenCalledOnce();
    builder.rebuild();
    build();
    expect(painter.erase).toHaveBeenCalledTimes(2);
    builder.hide([]);
    expect(others()).toEqual(["1"]);
  });

  it("builds everything anew after a thousand changes", () => {
    const { builder, put, build, drawn } = world(0);
    const ids = Array.from({ length: 1001 }, (_, i) => `n${i}`);
    ids.forEach(put);
    builder.change(ids);
    expect(builder.settled).toBe(false);
    build();
    expect(drawn()).toEqual([...ids].sort());
  });

  it("finishes what is being built before it begins again, so that something is seen meanwhile", () => {
    const { builder, put, build, drawn, redraw } = world();
    builder.rebuild();
    put("late", 9);
    builder.rebuild();
    expect(builder.settled).toBe(false);
    redraw.mockClear();
    build();
    expect(redraw).toHaveBeenCalledTimes(2);
    expect(drawn()).toEqual(["0", "1", "2", "late"]);
  });

  it("shows what changed while it was being built", () => {
    const { builder, put, build } = world();
    builder.rebuild();
    put("0", 77);
    builder.change(["0"]);
    build();
    expect(builder.chunks.slice(1).flatMap(({ spans }) => [...spans.keys()])).toEqual(["0"]);
  });

  it("builds no more once it is closed", () => {
    const { builder } = world();
    builder.rebuild();
    builder.close();
    for (const frame of frames) frame();
    expect(builder.settled).toBe(false);
  });
});
