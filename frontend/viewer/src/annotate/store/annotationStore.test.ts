import { beforeEach, describe, expect, it, vi } from "vitest";
import { boxed, line, point } from "@wavescope/core/geometry/shape";
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";
import type { AnnotationState } from "./annotationState";
import { AnnotationStore } from "./annotationStore";
import { HandClock, MemoryService, someContent } from "./testing";

const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 10, maxY: 10 });
const RED: Color = [255, 0, 0];

let service: MemoryService;
let clock: HandClock;
let store: AnnotationStore;
beforeEach(async () => {
  service = new MemoryService();
  ({ store, clock } = await open());
});

async function open(editable = true) {
  const hand = new HandClock();
  const outbox = { read: () => [], write: () => undefined };
  let last = 0;
  const one = new AnnotationStore(
    service,
    outbox,
    hand,
    () => true,
    () => `id${++last}`,
    editable,
  );
  await hand.tick();
  return { store: one, clock: hand };
}

const state = (): AnnotationState => store.state.getState();
/** Another client's change. */
const theirs = (id: string, content: Content | null): void =>
  void service.apply({ id, revision: service.objects.get(id)?.revision ?? 0, content });

describe("creating", () => {
  it("selects the new object, of the class chosen, on the plane looked at", () => {
    store.set({ currentClass: "Duct" });
    const id = store.create(square, 3);
    expect(store.get(id)).toEqual(someContent(0, { shape: square, z: 3, class: "Duct" }));
    expect(state()).toMatchObject({ selected: [id], count: 1, untitledTextId: null, canUndo: true, canRedo: false });
  });

  it("asks for the words of a text", () => {
    const id = store.create(point("text", 1, 2), 0);
    expect(state().untitledTextId).toBe(id);
  });
});

describe("typing about an object", () => {
  it("is written when it is ended, and only what was typed", async () => {
    const id = store.create(square, 0);
    await clock.tick();
    store.type(id, { text: "front" });
    expect(store.get(id)!.text).toBe("");
    theirs(id, { ...store.get(id)!, name: "Theirs" });
    store.refresh();
    await clock.tick();
    store.writeTyped();
    expect(store.get(id)).toMatchObject({ name: "Theirs", text: "front" });
    expect(state().typed).toBeNull();
  });

  it("stays when another deletes the object, and is kept as a new one or discarded", async () => {
    const id = store.create(square, 0);
    await clock.tick();
    store.type(id, { text: "invasive fr" });
    theirs(id, null);
    store.refresh();
    await clock.tick();
    expect([store.get(id), state().selected]).toEqual([null, []]);
    store.type(id, { text: "invasive front" });
    store.writeTyped();
    expect(state().typed).toMatchObject({ id, text: "invasive front" });
    store.keepTyped();
    const kept = state().selected[0]!;
    expect(store.get(kept)).toMatchObject({ text: "invasive front", shape: square });
    expect([kept === id, state().typed]).toEqual([false, null]);
  });
});

describe("changing", () => {
  it("changes several objects as one step, and ignores those that are gone", () => {
    const ids = [store.create(square, 0), store.create(square, 0)];
    store.patch([...ids, "nothing"], { name: "N", color: RED });
    expect(ids.map((id) => store.get(id))).toMatchObject([
      { name: "N", color: RED },
      { name: "N", color: RED },
    ]);
    store.undo();
    expect(ids.map((id) => store.get(id)?.name)).toEqual(["", ""]);
    store.redo();
    expect(ids.map((id) => store.get(id)?.name)).toEqual(["N", "N"]);
  });

  it("drops deleted objects from the selection, deleted by anyone", async () => {
    const ids = [store.create(square, 0), store.create(square, 0), store.create(square, 0)];
    await clock.tick();
    store.select(ids);
    store.remove([ids[0]!]);
    expect(state()).toMatchObject({ selected: ids.slice(1), count: 2 });
    theirs(ids[1]!, null);
    store.refresh();
    await clock.tick();
    expect(state()).toMatchObject({ selected: [ids[2]], count: 1 });
  });

  it("does nothing at the ends of the history", () => {
    const { version } = state();
    store.undo();
    store.redo();
    expect(state().version).toBe(version);
  });

  it("names what a step leaves out because another has changed it", async () => {
    const id = store.create(square, 0);
    await clock.tick();
    theirs(id, someContent(9));
    store.refresh();
    await clock.tick();
    store.undo();
    expect(store.get(id)).toEqual(someContent(9));
    expect(state().notice).not.toBeNull();
  });
});

describe("listeners", () => {
  it("hear which objects are shown otherwise, and the version grows each time", async () => {
    const listener = vi.fn();
    const stop = store.listen(listener);
    const before = state().version;
    const id = store.create(square, 0);
    store.patch([id], { name: "N" });
    theirs("x", someContent(5));
    store.refresh();
    await clock.tick();
    expect(listener.mock.calls.map(([ids]) => ids as string[])).toEqual([[id], [id], ["x"]]);
    expect(state().version).toBe(before + 3);
    stop();
    store.remove([id]);
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

describe("labels", () => {
  it("lie at texts and measurements without being asked for, and follow them", () => {
    const [text, length] = [store.create(point("text", 0, 0), 0), store.create(line("line", [0, 0, 5, 5]), 0)];
    store.create(square, 0);
    expect([...store.labelled.all()].map(([id]) => id)).toEqual([text, length]);
    store.patch([length], { shape: line("line", [50, 50, 60, 60]) });
    expect(store.labelled.within({ minX: 40, minY: 40, maxX: 70, maxY: 70 }).map(({ id }) => id)).toEqual([length]);
    store.remove([text]);
    expect([...store.labelled.all()].map(([id]) => id)).toEqual([length]);
  });
});

describe("classes", () => {
  it("are those with a colour of their own and those that are named, and no more", () => {
    const id = store.create(square, 0);
    store.patch([id], { class: "Duct" });
    expect([...state().classes.keys()]).toEqual(["Duct"]);
    store.patch([id], { class: "Lobule" });
    expect([...state().classes.keys()]).toEqual(["Lobule"]);
    store.remove([id]);
    expect(state().classes.size).toBe(0);
  });

  it("take the colour that the service answers", async () => {
    service.setClasses = () => Promise.resolve(new Map([["Duct", RED]]));
    await store.setClass("Duct", RED);
    expect(state().classes.get("Duct")).toEqual(RED);
  });

  it("are the same map as long as nothing about them changes", async () => {
    const id = store.create(square, 0);
    store.patch([id], { class: "Duct" });
    const { classes } = state();
    store.patch([id], { name: "N" });
    store.refresh();
    await clock.tick();
    expect(state().classes).toBe(classes);
  });
});

describe("AN23: who may not annotate", () => {
  beforeEach(async () => {
    service.editable = false;
    theirs("x", someContent(5));
    ({ store, clock } = await open(false));
  });

  it("makes objects of this page only, which are labelled, counted and never sent", async () => {
    const id = store.create(square, 0);
    await clock.tick();
    expect([store.isLocal(id), store.mayChange(id), state().local, store.unsaved]).toEqual([true, true, 1, 0]);
    expect([...store.labelled.all()].map(([one]) => one)).toEqual([id]);
    expect(service.objects.has(id)).toBe(false);
    store.remove([id]);
    expect([state().local, state().count]).toEqual([0, 1]);
    store.undo();
    expect([state().local, state().count]).toEqual([1, 2]);
  });

  it("changes nothing of others", () => {
    store.patch(["x"], { name: "mine" });
    store.remove(["x"]);
    expect([store.mayChange("x"), store.get("x")]).toEqual([false, someContent(5)]);
    expect(state().canUndo).toBe(false);
  });
});

it("puts the tool down when the right to annotate is taken away", async () => {
  store.set({ tool: "line", draft: null });
  service.editable = false;
  store.refresh();
  await clock.tick();
  expect(state()).toMatchObject({ editable: false, tool: null });
});

it("asks for nothing once it is closed", async () => {
  const page = vi.spyOn(service, "page");
  store.close();
  await clock.tick();
  expect(page).not.toHaveBeenCalled();
});

describe("AN22: an import", () => {
  it("is one step, however many objects it adds, and leaves older steps for later", async () => {
    const own = store.create(square, 0);
    await clock.tick();
    const ids = Array.from({ length: 700 }, (_, i) => `imported${i}`);
    service.import = () => {
      for (const [i, id] of ids.entries()) theirs(id, someContent(i));
      return Promise.resolve({ created: 700, ids, unchanged: 0, renumbered: 0, skipped: 0, reasons: [] });
    };
    await store.import("geojson", new Blob());
    expect(state()).toMatchObject({ count: 701, canUndo: true });
    store.undo();
    expect([state().count, store.get(own)]).toMatchObject([1, { shape: square }]);
    store.redo();
    expect(state().count).toBe(701);
    await clock.tick();
    await clock.tick();
    store.undo();
    store.undo();
    expect(state().count).toBe(0);
  });
});

it("selects and deletes what a filter names, the deletion as one step", () => {
  for (let i = 0; i < 3; i += 1) {
    store.set({ currentClass: i < 2 ? "Duct" : "" });
    store.create(square, 0);
  }
  const isDuct = (content: Content): boolean => content.class === "Duct";
  store.selectWhere(isDuct);
  expect(state().selected).toEqual(["id1", "id2"]);
  store.removeWhere(isDuct);
  expect(state()).toMatchObject({ count: 1, selected: [] });
  store.undo();
  expect(state().count).toBe(3);
});
