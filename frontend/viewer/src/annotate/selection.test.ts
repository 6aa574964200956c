import { beforeEach, describe, expect, it } from "vitest";
import { boxed, line } from "@wavescope/core/geometry/shape";
import { measure } from "@wavescope/core/geometry/measure";
import { ContractError } from "@wavescope/core/wire/http/errors";
import { canCombine, combine, copied, duplicate, paste, pastedContents } from "./selection";
import { AnnotationStore } from "./store/annotationStore";
import { HandClock, MemoryService, someContent } from "./store/testing";

let store: AnnotationStore;
beforeEach(async () => {
  const clock = new HandClock();
  let last = 0;
  store = new AnnotationStore(
    new MemoryService(),
    { read: () => [], write: () => undefined },
    clock,
    () => true,
    () => `id${++last}`,
  );
  await clock.tick();
});

/** A box as an annotation; its id. */
function box(minX: number, minY: number, maxX: number, maxY: number, name = ""): string {
  const shape = boxed("rectangle", { minX, minY, maxX, maxY });
  return store.add([{ shape, name, class: name && `class of ${name}` }], 0)[0]!;
}
const areaOf = (id: string): number => measure(store.get(id)!.shape, null).area!;
const all = (): string[] => [...store.index.all()].map(([id]) => id);

describe("AN38: putting areas together", () => {
  it("merging keeps the words of the first selected, and is one step", async () => {
    const [a, b] = [box(0, 0, 10, 10, "A"), box(5, 0, 15, 10, "B")];
    store.select([b, a]);
    await combine(store, "merge");
    expect([all(), areaOf(b), store.get(b)!.name, store.get(b)!.class]).toEqual([[b], 150, "B", "class of B"]);
    expect(store.state.getState().selected).toEqual([b]);
    store.undo();
    expect([all().sort(), areaOf(a), areaOf(b)]).toEqual([[a, b].sort(), 100, 100]);
  });

  it("subtracting cuts the others out of the largest, whatever was selected first, and leaves them", async () => {
    const [small, large] = [box(0, 0, 5, 5), box(0, 0, 20, 20)];
    store.select([small, large]);
    await combine(store, "subtract");
    expect([areaOf(small), areaOf(large)]).toEqual([25, 375]);
  });

  it("intersecting leaves what all share", async () => {
    const ids = [box(0, 0, 10, 10), box(5, 0, 15, 10), box(0, 5, 15, 15)];
    store.select(ids);
    await combine(store, "intersect");
    expect([all(), areaOf(ids[0]!)]).toEqual([[ids[0]], 25]);
  });

  it("says so, and changes nothing, where nothing would be left", async () => {
    const [a, b] = [box(0, 0, 10, 10), box(20, 0, 30, 10)];
    store.select([a, b]);
    await combine(store, "intersect");
    expect(store.state.getState().notice).toContain("do not overlap");
    box(-1, -1, 11, 11);
    expect([areaOf(a), areaOf(b)]).toEqual([100, 100]);
  });

  it("splitting along a line uses the line up; splitting into parts needs none", async () => {
    const a = box(0, 0, 10, 10, "A");
    const [cut] = store.add([{ shape: line("line", [-1, 5, 11, 5]) }], 0) as [string];
    store.select([a, cut]);
    await combine(store, "split");
    const parts = all();
    expect(parts).toHaveLength(2);
    expect(parts.map((id) => store.get(id)!.name)).toEqual(["A", "A"]);
    store.select(parts);
    await combine(store, "merge"); // a cut apart, so still two parts
    expect(store.get(all()[0]!)!.shape.groups).toHaveLength(2);
    expect(canCombine(store, "split")).toBe(true);
    await combine(store, "split");
    expect(all()).toHaveLength(2);
  });

  it("is offered for two areas, splitting for an area with a line or several parts", () => {
    const [a, b] = [box(0, 0, 10, 10), box(5, 0, 15, 10)];
    store.select([a]);
    expect((["merge", "subtract", "intersect", "split"] as const).map((how) => canCombine(store, how))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    store.select([a, b]);
    expect([canCombine(store, "merge"), canCombine(store, "split")]).toEqual([true, false]);
  });

  it("a line that does not cross the area divides nothing, and stays", async () => {
    const a = box(0, 0, 10, 10);
    const [away] = store.add([{ shape: line("line", [20, 0, 30, 0]) }], 0) as [string];
    store.select([a, away]);
    await combine(store, "split");
    expect(all().sort()).toEqual([a, away].sort());
    expect(store.state.getState().notice).toContain("Nothing is divided");
  });
});

describe("AN41: copies", () => {
  it("a duplicate lies beside its annotation, with the same words, selected", () => {
    store.select([box(0, 0, 10, 10, "A")]);
    duplicate(store, 0.25);
    const [id] = store.state.getState().selected as [string];
    expect(store.get(id)).toMatchObject({ name: "A", class: "class of A" });
    expect(store.get(id)!.shape.parts[0]!.slice(0, 2)).toEqual([4, 4]);
  });

  it("what is copied comes back with everything, around the middle of the view and on its plane", () => {
    const a = box(0, 0, 10, 10, "A");
    store.select([a, box(20, 0, 30, 10)]);
    const text = copied(store)!;
    store.remove(all());
    paste(store, pastedContents(text)!, [115, 105], 2);
    const [first, second] = store.state.getState().selected.map((id) => store.get(id)!);
    expect(first).toMatchObject({ name: "A", z: 2 });
    expect([first!.shape.parts[0]!.slice(0, 2), second!.shape.parts[0]!.slice(0, 2)]).toEqual([
      [100, 100],
      [120, 100],
    ]);
    store.undo();
    expect(all()).toEqual([]);
  });

  it("nothing selected is no text, another text has no annotations, a damaged one is refused", () => {
    expect([copied(store), pastedContents("hello"), pastedContents('{"type":"FeatureCollection"}')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(() => pastedContents('{"wavescope-annotations":1,"contents":[{"kind":"star"}]}')).toThrow(ContractError);
    expect(() => pastedContents('{"wavescope-annotations":1,"contents":[')).toThrow(SyntaxError);
    store.add([someContent(1)], 0);
  });
});

describe("AN43: classes", () => {
  it("a renamed class keeps its colour, and what is chosen follows", async () => {
    await store.setClass("Old", [1, 2, 3]);
    store.set({ currentClass: "Old", countedClass: "Old" });
    const id = store.add([{ shape: boxed("rectangle", { minX: 0, minY: 0, maxX: 1, maxY: 1 }), class: "Old" }], 0)[0]!;
    await store.renameClass("Old", "New");
    const { classes, currentClass, countedClass } = store.state.getState();
    expect([[...classes], currentClass, countedClass]).toEqual([[["New", [1, 2, 3]]], "New", "New"]);
    expect([store.get(id)!.class, store.classCounts().get("New")]).toEqual(["New", 1]);
    store.undo();
    expect(store.get(id)!.class).toBe("Old");
  });

  it("a class that is joined to another takes its colour; an empty name removes it", async () => {
    await store.setClass("A", [1, 2, 3]);
    await store.setClass("B", [4, 5, 6]);
    const id = box(0, 0, 1, 1);
    store.patch([id], { class: "A" });
    await store.renameClass("A", "B");
    expect([[...store.state.getState().classes], store.get(id)!.class]).toEqual([[["B", [4, 5, 6]]], "B"]);
    await store.renameClass("B", "");
    expect([store.state.getState().classes.size, store.get(id)!.class]).toEqual([0, ""]);
  });
});
