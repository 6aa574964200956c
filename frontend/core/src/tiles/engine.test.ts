import { describe, expect, it, vi } from "vitest";
import { Pyramid, keyOf } from "../geometry/pyramid";
import { TileEngine } from "./engine";
import engineSource from "./engine.ts?raw";
import { Meter } from "./meter";
import pictureCacheSource from "./pictureCache.ts?raw";
import picturesSource from "./pictures.ts?raw";
import schedulerSource from "./scheduler.ts?raw";
import { FakeMaker, a, fakeBitmap, settle } from "./testing";

function world(budget = 1 << 30) {
  const source = new FakeMaker();
  const events = { redraw: vi.fn(), changed: vi.fn(), evict: vi.fn() };
  const engine = new TileEngine({
    pyramid: new Pyramid(2048, 2048),
    channels: 3,
    layers: 2,
    sharp: [2, 1, 1, 1],
    source,
    meter: new Meter(),
    budget,
    events,
  });
  return { source, engine, events };
}

const field = [a(0, 0, 1, 1), a(0, 0, 2, 1)];
const view = { z: 0, level: 0, tiles: field, moving: false };

describe("TileEngine", () => {
  it.each([
    ["engine", engineSource],
    ["scheduler", schedulerSource],
    ["pictureCache", pictureCacheSource],
    ["pictures", picturesSource],
  ])("knows nothing of the decoder: %s.ts imports nothing of the codec", (_, text) => {
    const imported = [...text.matchAll(/from "([^"]+)"/g)].map(([, path]) => path);
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((path) => path!.includes("codec"))).toEqual([]);
  });

  it("wants all layers of a view that rests in one go", () => {
    const { source, engine } = world();
    engine.setView(view);
    expect(source.fields).toEqual([{ tiles: field, layers: 2 }]);
  });

  it("fetches no field before it has a view: what was requested for it goes on", () => {
    const { source, engine } = world();
    engine.sourceChanged();
    expect(source.fields).toEqual([]);
    engine.setView(view);
    expect(source.fields).toHaveLength(1);
  });

  it("does not refine while the view moves", () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView({ ...view, moving: true });
    expect(source.fields.at(-1)?.layers).toBe(1);
    engine.setView(view);
    expect(source.fields.at(-1)?.layers).toBe(2);
  });

  it("makes first pictures from the centre outward, then better ones", async () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView(view);
    expect(await source.finishAll()).toEqual(["0/0/0/1/1@1", "0/0/0/2/1@1"]);
    source.give(field, 2);
    engine.sourceChanged();
    expect(await source.finishAll()).toEqual(["0/0/0/1/1@2", "0/0/0/2/1@2"]);
    expect(engine.fidelity()).toBe("exact");
  });

  it("replaces a picture in one step and closes the former one", async () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView(view);
    await source.finishAll();
    const handle = engine.handle(0, 1, 1);
    const before = handle.picture!.bitmap as ReturnType<typeof fakeBitmap>;
    source.give(field, 2);
    engine.sourceChanged();
    expect(handle.picture).toMatchObject({ layers: 1 });
    expect(before.closed).toBe(false);
    await source.finishAll();
    expect(handle.picture).toMatchObject({ layers: 2 });
    expect(before.closed).toBe(true);
  });

  it("tells what is drawn: missing, preview, exact", async () => {
    const { source, engine } = world();
    engine.setView(view);
    expect(engine.states().map(({ state, K }) => [state, K])).toEqual([
      ["missing", 0],
      ["missing", 0],
    ]);
    expect(engine.fidelity()).toBe("preview");
    source.give(field, 1);
    engine.sourceChanged();
    await source.finishAll();
    expect(engine.states()[0]).toMatchObject({
      z: 0,
      level: 0,
      x: 1,
      y: 1,
      K: 1,
      stored: 2,
      state: "preview",
      width: 256,
    });
    expect(engine.fidelity()).toBe("refining");
  });

  it("shows the finest intact coarser tile in place of a damaged one, and keeps it", async () => {
    const { source, engine, events } = world(1);
    source.give([a(0, 1, 0, 0), a(0, 2, 0, 0), a(0, 3, 0, 0)], 1);
    source.give([field[0]!], 0, 0, "cut short");
    engine.setView({ ...view, tiles: [field[0]!] });
    expect(await source.finishAll()).toEqual(["0/0/3/0/0@1", "0/0/1/0/0@1"]);
    const standIn = engine.peek(1, 0, 0)!;
    expect(standIn.picture).toMatchObject({ z: 0, layers: 1 });
    expect(events.evict).not.toHaveBeenCalledWith(standIn);
    engine.forget(standIn);
    expect(engine.peek(1, 0, 0)).toBe(standIn);
    engine.setView({ ...view, tiles: [a(0, 0, 5, 5)] });
    engine.forget(standIn);
    expect(engine.peek(1, 0, 0)).toBeUndefined();
  });

  it("calls an upper level sharp from the layer on that reaches full magnification's quality, and a level exact with all", async () => {
    const { source, engine } = world();
    const upper = [a(0, 1, 0, 0)];
    source.give(upper, 1);
    engine.setView({ ...view, level: 1, tiles: upper });
    await source.finishAll();
    expect(engine.states()[0]).toMatchObject({ K: 1, state: "sharp" });
    expect(engine.fidelity()).toBe("sharp");
    source.give(upper, 2);
    engine.sourceChanged();
    await source.finishAll();
    expect(engine.fidelity()).toBe("exact");
  });

  it("keeps the former plane's picture until the new plane's is there", async () => {
    const { source, engine } = world();
    source.give(field, 2);
    engine.setView(view);
    await source.finishAll();
    const tiles = field.map((tile) => ({ ...tile, z: 1 }));
    engine.setView({ ...view, z: 1, tiles });
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ z: 0, layers: 2 });
    expect(engine.states()[0]).toMatchObject({ z: 1, plane: 0, state: "preview" });
    expect(engine.fidelity()).toBe("preview");
    source.give(tiles, 1);
    engine.sourceChanged();
    await source.finishAll();
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ z: 1, layers: 1 });
  });

  it("does not show a plane that was left while its picture was being made", async () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView(view);
    const late = source.making[0]!;
    engine.setView({ ...view, z: 1, tiles: field.map((tile) => ({ ...tile, z: 1 })) });
    const bitmap = fakeBitmap();
    late.done(bitmap);
    await settle(2);
    expect(engine.handle(0, 1, 1).picture).toBeNull();
  });

  it("keeps the picture of the former variant until the new one is there, and drops one that comes late", async () => {
    const { source, engine } = world();
    source.variant = "red";
    source.give(field, 2);
    engine.setView(view);
    await source.finishAll();
    source.variant = "green";
    engine.sourceChanged();
    const late = source.making.find(({ tile }) => keyOf(tile) === keyOf(field[0]!))!;
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ z: 0, variant: "red", layers: 2 });
    expect(engine.states()[0]).toMatchObject({ z: 0, plane: 0, current: false, state: "preview" });
    expect(engine.fidelity()).toBe("preview");
    source.variant = "blue";
    engine.sourceChanged();
    late.done(fakeBitmap());
    await settle(2);
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ variant: "red" });
    await source.finishAll();
    expect(engine.states().map(({ state }) => state)).toEqual(["exact", "exact"]);
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ variant: "blue", layers: 2 });
  });

  it("does not count a change of the variant as a move", () => {
    const { source, engine } = world();
    source.variant = "red";
    engine.setView(view);
    const next = source.ahead.length;
    source.variant = "green";
    engine.sourceChanged();
    expect(source.fields.at(-1)).toEqual({ tiles: field, layers: 2 });
    expect(source.ahead).toHaveLength(next);
  });

  it("makes the best picture at once where all layers came before the first one was begun, and shows a first one that was", async () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView(view);
    const begun = source.making.shift()!; // in a worker: it can no longer be dropped
    source.give(field, 2);
    engine.sourceChanged();
    expect(source.making.filter(({ priority }) => priority() !== null).map(({ layers }) => layers)).toEqual([2, 2]);
    begun.done(fakeBitmap());
    await settle(2);
    expect(engine.handle(0, 1, 1).picture).toMatchObject({ z: 0, layers: 1 });
    expect(await source.finishAll()).toEqual(expect.arrayContaining(["0/0/0/1/1@2", "0/0/0/2/1@2"]));
    expect(engine.fidelity()).toBe("exact");
  });

  it("looks ahead to other planes once the view rests and is finished, and stops when it moves", async () => {
    vi.useFakeTimers();
    const { source, engine } = world();
    const next = field.map((tile) => ({ ...tile, z: 1 }));
    source.give(field, 2);
    engine.setView({ ...view, next });
    await vi.advanceTimersByTimeAsync(1000);
    expect(source.ahead).toEqual([]);
    const made = source.finishAll();
    await vi.advanceTimersByTimeAsync(1000);
    await made;
    expect(source.ahead).toEqual([next]);
    engine.setView({ ...view, next, moving: true });
    expect(source.ahead.at(-1)).toEqual([]);
    vi.useRealTimers();
  });

  it("drops pictures of tiles that left the view before they were made", () => {
    const { source, engine } = world();
    source.give(field, 1);
    engine.setView(view);
    engine.setView({ ...view, tiles: [a(0, 0, 5, 5)] });
    expect(source.making).toEqual([]);
  });

  it("marks a damaged tile, shows the layers that can be had, and settles", async () => {
    const { source, engine } = world();
    source.give([field[0]!], 1, 1, "a flipped bit");
    source.give([field[1]!], 0, 0, "a missing shard");
    engine.setView(view);
    await source.finishAll();
    expect(engine.states().map(({ state, K, reason }) => [state, K, reason])).toEqual([
      ["damaged", 1, "a flipped bit"],
      ["damaged", 0, "a missing shard"],
    ]);
    expect(engine.fidelity()).toBe("damaged");
    await engine.idle();
  });

  it("tells the viewer at once when there is only damage to draw", () => {
    const { source, engine } = world();
    const drawable = vi.fn();
    engine.whenDrawable(engine.handle(0, 1, 1), drawable);
    source.give([field[0]!], 0, 0, "corrupt");
    engine.setView(view);
    expect(drawable).toHaveBeenCalledOnce();
  });

  it("is idle only when all tiles are as good as they can be and nothing moves", async () => {
    const { source, engine } = world();
    const idle = vi.fn();
    engine.setView({ ...view, moving: true });
    void engine.idle().then(idle);
    source.give(field, 2);
    engine.sourceChanged();
    await source.finishAll();
    expect(idle).not.toHaveBeenCalled();
    engine.setView(view);
    await settle(2);
    expect(idle).toHaveBeenCalledOnce();
  });

  it("resolves all who wait for it when it is closed", async () => {
    const { engine } = world();
    engine.setView(view);
    const before = engine.idle();
    engine.close();
    await Promise.all([before, engine.idle()]);
  });

  it("draws tiles anew when the number of layers is limited, and again when it is not", async () => {
    const { source, engine } = world();
    source.give(field, 2);
    engine.setView(view);
    await source.finishAll();
    engine.limitLayers(1);
    expect(await source.finishAll()).toEqual(["0/0/0/1/1@1", "0/0/0/2/1@1"]);
    engine.limitLayers(null);
    expect(await source.finishAll()).toEqual(["0/0/0/1/1@2", "0/0/0/2/1@2"]);
  });

  it("gives up the pictures out of view longest when the budget is full, never those in view", async () => {
    const tileBytes = 256 * 256 * 4;
    const { source, engine, events } = world(3 * tileBytes);
    for (let x = 0; x < 6; x += 1) {
      const tiles = [a(0, 0, x, 0)];
      source.give(tiles, 2);
      engine.setView({ ...view, tiles });
      await source.finishAll();
      expect(engine.bitmapBytes).toBeLessThanOrEqual(3 * tileBytes);
      expect(engine.handle(0, x, 0).picture).not.toBeNull();
    }
    expect(events.evict.mock.calls.map(([handle]) => (handle as { x: number }).x)).toEqual([0, 1, 2]);
  });

  it("marks a tile as damaged after its decoder has failed three times", async () => {
    const { source, engine } = world();
    source.give([field[0]!], 2);
    engine.setView({ ...view, tiles: [field[0]!] });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const job = source.making.splice(0, 1)[0]!;
      job.fail(new Error("the worker died"));
      await settle(2);
    }
    expect(engine.states()[0]).toMatchObject({ state: "damaged", reason: "the worker died" });
    expect(source.making).toEqual([]);
    await engine.idle();
  });
});
