import { beforeEach, describe, expect, it, vi } from "vitest";
import { boxed, line, point } from "../../../geometry/shape";
import type { Color, Content } from "../../../wire/annotations/annotations";
import { AnnotationBook, type BookState } from "./annotationStore";
import { HandClock, MemoryService, someContent } from "./testing";

const square = boxed("rectangle", { minX: 0, minY: 0, maxX: 10, maxY: 10 });
const RED: Color = [255, 0, 0];

let service: MemoryService;
let clock: HandClock;
let book: AnnotationBook;
beforeEach(async () => {
  service = new MemoryService();
  ({ book, clock } = await open());
});

async function open(editable = true) {
  const hand = new HandClock();
  const outbox = { read: () => [], write: () => undefined };
  let last = 0;
  const one = new AnnotationBook(
    service,
    outbox,
    hand,
    () => true,
    () => `id${++last}`,
    editable,
  );
  await hand.tick();
  return { book: one, clock: hand };
}

const state = (): BookState => book.state.getState();
/** Another client's change. */
const theirs = (id: string, content: Content | null): void =>
  void service.apply({ id, revision: service.objects.get(id)?.revision ?? 0, content });

describe("creating", () => {
  it("selects the new object, of the class chosen, on the plane looked at", () => {
    book.set({ currentClass: "Duct" });
    const id = book.create(square, 3);
    expect(book.get(id)).toEqual(someContent(0, { shape: square, z: 3, class: "Duct" }));
    expect(state()).toMatchObject({ selected: [id], count: 1, wordless: null, canUndo: true, canRedo: false });
  });

  it("asks for the words of a text", () => {
    const id = book.create(point("text", 1, 2), 0);
    expect(state().wordless).toBe(id);
  });
});

describe("changing", () => {
  it("changes several objects as one step, and ignores those that are gone", () => {
    const ids = [book.create(square, 0), book.create(square, 0)];
    book.amend([...ids, "nothing"], { name: "N", color: RED });
    expect(ids.map((id) => book.get(id))).toMatchObject([
      { name: "N", color: RED },
      { name: "N", color: RED },
    ]);
    book.undo();
    expect(ids.map((id) => book.get(id)?.name)).toEqual(["", ""]);
    book.redo();
    expect(ids.map((id) => book.get(id)?.name)).toEqual(["N", "N"]);
  });

  it("drops deleted objects from the selection, deleted by anyone", async () => {
    const ids = [book.create(square, 0), book.create(square, 0), book.create(square, 0)];
    await clock.tick();
    book.select(ids);
    book.remove([ids[0]]);
    expect(state()).toMatchObject({ selected: ids.slice(1), count: 2 });
    theirs(ids[1], null);
    book.refresh();
    await clock.tick();
    expect(state()).toMatchObject({ selected: [ids[2]], count: 1 });
  });

  it("does nothing at the ends of the history", () => {
    const { version } = state();
    book.undo();
    book.redo();
    expect(state().version).toBe(version);
  });

  it("names what a step leaves out because another has changed it", async () => {
    const id = book.create(square, 0);
    await clock.tick();
    theirs(id, someContent(9));
    book.refresh();
    await clock.tick();
    book.undo();
    expect(book.get(id)).toEqual(someContent(9));
    expect(state().notice).not.toBeNull();
  });
});

describe("listeners", () => {
  it("hear which objects are shown otherwise, and the version grows each time", async () => {
    const heard = vi.fn();
    const stop = book.listen(heard);
    const before = state().version;
    const id = book.create(square, 0);
    book.amend([id], { name: "N" });
    theirs("x", someContent(5));
    book.refresh();
    await clock.tick();
    expect(heard.mock.calls.map(([ids]) => ids as string[])).toEqual([[id], [id], ["x"]]);
    expect(state().version).toBe(before + 3);
    stop();
    book.remove([id]);
    expect(heard).toHaveBeenCalledTimes(3);
  });
});

describe("labels", () => {
  it("lie at texts and measurements without being asked for, and follow them", () => {
    const [text, length] = [book.create(point("text", 0, 0), 0), book.create(line("line", [0, 0, 5, 5]), 0)];
    book.create(square, 0);
    expect([...book.labelled.all()].map(([id]) => id)).toEqual([text, length]);
    book.amend([length], { shape: line("line", [50, 50, 60, 60]) });
    expect(book.labelled.within({ minX: 40, minY: 40, maxX: 70, maxY: 70 }).map(({ id }) => id)).toEqual([length]);
    book.remove([text]);
    expect([...book.labelled.all()].map(([id]) => id)).toEqual([length]);
  });
});

describe("classes", () => {
  it("are those with a colour of their own and those that are named, and no more", () => {
    const id = book.create(square, 0);
    book.amend([id], { class: "Duct" });
    expect([...state().classes.keys()]).toEqual(["Duct"]);
    book.amend([id], { class: "Lobule" });
    expect([...state().classes.keys()]).toEqual(["Lobule"]);
    book.remove([id]);
    expect(state().classes.size).toBe(0);
  });

  it("take the colour that the service answers", async () => {
    service.setClasses = (() => Promise.resolve(new Map([["Duct", RED]]))) as unknown as typeof service.setClasses;
    await book.setClass("Duct", RED);
    expect(state().classes.get("Duct")).toEqual(RED);
  });

  it("are the same map as long as nothing about them changes", async () => {
    const id = book.create(square, 0);
    book.amend([id], { class: "Duct" });
    const { classes } = state();
    book.amend([id], { name: "N" });
    book.refresh();
    await clock.tick();
    expect(state().classes).toBe(classes);
  });
});

describe("AN23: who may not annotate", () => {
  beforeEach(async () => {
    service.editable = false;
    theirs("x", someContent(5));
    ({ book, clock } = await open(false));
  });

  it("makes objects of this page only, which are labelled, counted and never sent", async () => {
    const id = book.create(square, 0);
    await clock.tick();
    expect([book.isLocal(id), book.mayChange(id), state().local, book.unsaved]).toEqual([true, true, 1, 0]);
    expect([...book.labelled.all()].map(([one]) => one)).toEqual([id]);
    expect(service.objects.has(id)).toBe(false);
    book.remove([id]);
    expect([state().local, state().count]).toEqual([0, 1]);
    book.undo();
    expect([state().local, state().count]).toEqual([1, 2]);
  });

  it("changes nothing of others", () => {
    book.amend(["x"], { name: "mine" });
    book.remove(["x"]);
    expect([book.mayChange("x"), book.get("x")]).toEqual([false, someContent(5)]);
    expect(state().canUndo).toBe(false);
  });
});

it("puts the tool down when the right to annotate is taken away", async () => {
  book.set({ tool: "line", draft: null });
  service.editable = false;
  book.refresh();
  await clock.tick();
  expect(state()).toMatchObject({ editable: false, tool: null });
});

it("asks for nothing once it is closed", async () => {
  const page = vi.spyOn(service, "page");
  book.close();
  await clock.tick();
  expect(page).not.toHaveBeenCalled();
});
