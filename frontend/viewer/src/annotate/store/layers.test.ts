import { beforeEach, describe, expect, it } from "vitest";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { AnnotationStore } from "./annotationStore";
import { type LayerMemory, parseStyles } from "./layerMemory";
import { type LayerStyles, keyOf } from "./layers";
import { HandClock, MemoryService, someContent } from "./testing";

const MINE = keyOf({ author: "me", imported: "", created: "" });
const BO = keyOf({ author: "Bo", imported: "", created: "" });
const FILE = { author: "me", imported: "cells.geojson", created: "2026-05-01T10:00:00.000Z" };
const AGAIN = { ...FILE, created: "2026-05-02T10:00:00.000Z" };

class FakeMemory implements LayerMemory {
  styles: LayerStyles = new Map();
  read = (): LayerStyles => this.styles;
  write = (styles: LayerStyles): void => void (this.styles = styles);
}

let service: MemoryService;
let memory: FakeMemory;
let clock: HandClock;

function put(id: string, origin: Partial<typeof FILE>, content: Content = someContent(0)): void {
  const signed = { author: "me", imported: "", created: "2026-01-01T00:00:00.000Z", editor: "me", ...origin };
  service.sequence += 1;
  service.objects.set(id, { id, revision: 1, updated: "", locked: "", content, sequence: service.sequence, ...signed });
}

async function open(): Promise<AnnotationStore> {
  const outbox = { read: () => [], write: () => undefined };
  clock = new HandClock();
  let last = 0;
  const newId = (): string => `new${(last += 1)}`;
  const store = new AnnotationStore(service, outbox, clock, () => true, newId);
  store.rememberLayers(memory);
  await clock.tick();
  return store;
}

beforeEach(() => {
  [service, memory] = [new MemoryService(), new FakeMemory()];
  service.author = "me";
  put("a1", {});
  put("b1", { author: "Bo" });
  put("i1", FILE);
  put("i2", FILE);
  put("j1", AGAIN);
  put("a2", {});
});

describe("layers", () => {
  it("are what each author drew, and each import (AN52)", async () => {
    const store = await open();
    expect(store.layers().map(({ key, count }) => [key, count])).toEqual([
      [BO, 1],
      [MINE, 2],
      [keyOf(FILE), 2],
      [keyOf(AGAIN), 1],
    ]);
    store.create(someContent(3).shape, 0);
    store.patch(["i1"], { name: "changed" });
    await clock.tick();
    expect(store.layers().map(({ count }) => count)).toEqual([1, 3, 2, 1]);
  });

  it("keep an object that is deleted and brought back (AN52)", async () => {
    const store = await open();
    store.remove(["i1"]);
    await clock.tick();
    expect(store.layerOf("i1")).toBe(keyOf(FILE));
    store.undo();
    await clock.tick();
    expect(store.layers().find(({ key }) => key === keyOf(FILE))?.count).toBe(2);
  });

  it("are remembered for the next time (AN53)", async () => {
    const store = await open();
    store.setLayer(BO, { hidden: true });
    store.setLayer(MINE, { opacity: 0.5 });
    store.setLayer(MINE, { opacity: 1 });
    expect([...memory.styles.keys()]).toEqual([BO]);
    expect((await open()).styleOf("b1").hidden).toBe(true);
  });

  it("that are hidden are neither selected nor deleted with others (AN53)", async () => {
    const store = await open();
    store.select(["a1", "b1"]);
    store.setLayer(BO, { hidden: true });
    expect(store.state.getState().selected).toEqual(["a1"]);
    store.selectWhere(() => true);
    expect(store.state.getState().selected).toEqual(["a1", "i1", "i2", "j1", "a2"]);
    store.removeWhere(() => true);
    expect([...store.index.all()].map(([id]) => id)).toEqual(["b1"]);
  });

  it("that are locked are not changed, deleted or undone (AN53)", async () => {
    const store = await open();
    store.patch(["i1"], { name: "before" });
    store.setLayer(keyOf(FILE), { locked: true });
    store.patch(["i1", "a1"], { name: "after" });
    store.remove(["i2"]);
    store.reshape([{ id: "i2", shapes: [] }]);
    expect([store.get("i1")?.name, store.get("a1")?.name, store.get("i2") !== null]).toEqual(["before", "after", true]);
    store.undo();
    store.undo();
    expect([store.get("i1")?.name, store.get("a1")?.name]).toEqual(["before", ""]);
    expect(store.state.getState().notice).toContain("locked");
    store.setLayer(keyOf(FILE), { locked: false });
    store.undo(); // the step waited
    expect(store.get("i1")?.name).toBe("");
  });

  it("keep a class of which some cannot be changed, with its colour (AN53)", async () => {
    put("b2", { author: "Bo" }, someContent(1, { class: "Duct" }));
    put("a3", {}, someContent(1, { class: "Duct" }));
    service.classes.set("Duct", [1, 2, 3]);
    const store = await open();
    store.setLayer(BO, { locked: true });
    await store.renameClass("Duct", "Vessel");
    expect([store.get("b2")?.class, store.get("a3")?.class]).toEqual(["Duct", "Vessel"]);
    expect([...store.state.getState().classes.keys()].sort()).toEqual(["Duct", "Vessel"]);
    expect(store.state.getState().classes.get("Duct")).toEqual([1, 2, 3]);
  });

  it("show and unlock themselves for what is new (AN53)", async () => {
    const store = await open();
    store.setLayer(MINE, { hidden: true, locked: true, opacity: 0.5 });
    store.setLayer(BO, { hidden: true });
    const id = store.create(someContent(5).shape, 0);
    expect([store.styleOf(id), store.mayChange(id)]).toEqual([{ hidden: false, locked: false, opacity: 0.5 }, true]);
    expect(store.styleOf("b1").hidden).toBe(true);
  });

  it("are deleted in one step, and come back whatever was done since (AN54)", async () => {
    const store = await open();
    const removed = store.removeLayer(keyOf(FILE));
    expect([removed.length, store.layers().length]).toEqual([2, 3]);
    store.patch(["a1"], { name: "later" });
    store.restore(removed);
    await clock.tick();
    expect([store.layers().length, store.get("a1")?.name]).toEqual([4, "later"]);
    expect([...service.objects.values()].filter(({ content }) => content).length).toBe(6);
    store.undo();
    expect(store.layers().length).toBe(3);
  });

  it("of who may not annotate stay as they are (AN54)", async () => {
    service.editable = false;
    const store = await open();
    expect(store.removeLayer(BO)).toEqual([]);
    expect(store.get("b1")).not.toBeNull();
  });
});

describe("the memory of layers", () => {
  it("leaves damaged entries out", () => {
    const good = { hidden: true, locked: false, opacity: 0.5 };
    const stored: unknown = [["x", good], ["y", { ...good, opacity: 7 }], ["z", { hidden: 1 }], [1, good], "w", ["v"]];
    expect([...parseStyles(stored)]).toEqual([["x", good]]);
    for (const damaged of [undefined, null, 3, "x", {}]) expect(parseStyles(damaged).size).toBe(0);
  });
});
