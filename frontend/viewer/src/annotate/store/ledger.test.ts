import { describe, expect, it } from "vitest";
import { line, point } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { AnnotationStore } from "./annotationStore";
import { reconcile } from "./reconcile";
import { HandClock, MemoryService, someContent } from "./testing";
import type { Outbox } from "./outbox";
import type { Waiting } from "./ledger";

class Box implements Outbox {
  constructor(public stored: readonly Waiting[] = []) {}
  read = (): Waiting[] => [...this.stored];
  write = (waiting: readonly Waiting[]): void => void (this.stored = waiting);
}

async function open(service: MemoryService, names: string, outbox = new Box()) {
  const clock = new HandClock();
  let last = 0;
  const store = new AnnotationStore(
    service,
    outbox,
    clock,
    () => true,
    () => `${names}${++last}`,
  );
  await clock.tick();
  return {
    store,
    clock,
    outbox,
    save: () => store.state.getState().save,
    shape: (id: string) => store.get(id)?.shape.parts[0],
  };
}

const at = (x: number) => ({ kind: "point", type: "Point", parts: [[x, 0]], groups: [] }) as const;

describe("reconcile", () => {
  const base = someContent(1, { name: "A" });
  const cases: [string, Content | null, Content | null, Content | null, object][] = [
    [
      "the same change on both sides needs nothing",
      base,
      someContent(2, { name: "A" }),
      someContent(2, { name: "A" }),
      { kind: "theirs", overruled: false },
    ],
    ["a deletion gives way to a change", base, null, someContent(2), { kind: "theirs", overruled: true }],
    ["a change undoes a deletion", base, someContent(2), null, { kind: "again", content: someContent(2) }],
    [
      "changes of different members are merged",
      base,
      someContent(2, { name: "A" }),
      someContent(1, { name: "B" }),
      { kind: "again", content: someContent(2, { name: "B" }) },
    ],
    [
      "changes of the same member make a copy",
      base,
      someContent(2, { name: "A" }),
      someContent(3, { name: "A" }),
      { kind: "copy", content: someContent(2, { name: "A (version of Ada)" }) },
    ],
    [
      "two objects with one id both remain",
      null,
      someContent(2),
      someContent(3),
      { kind: "copy", content: someContent(2, { name: "point (version of Ada)" }) },
    ],
  ];
  it.each(cases)("AN12: %s", (_, known, mine, theirs, expected) => {
    expect(reconcile(known, mine, theirs, "Ada")).toEqual(expected);
  });
});

describe("saving", () => {
  it("AN11: gathers changes, sends them by itself and says so", async () => {
    const service = new MemoryService();
    const { store, clock, save } = await open(service, "a");
    const id = store.create(at(1), 0);
    store.patch([id], { shape: at(2) });
    expect(save()).toBe("saving");
    await clock.tick();
    expect([save(), service.calls, service.objects.get(id)?.revision]).toEqual(["saved", 1, 1]);
  });

  it("AN11: keeps changes while the service does not answer, over a reload too, and sends them later", async () => {
    const service = new MemoryService();
    const first = await open(service, "a");
    service.offline = true;
    const id = first.store.create(at(1), 0);
    await first.clock.tick();
    expect(first.save()).toBe("unsaved");
    first.store.close();
    service.offline = false;
    const second = await open(service, "b", new Box(first.outbox.stored));
    expect(second.shape(id)).toEqual([1, 0]);
    await second.clock.tick();
    expect([second.save(), service.objects.get(id)?.content?.shape.parts[0], second.outbox.stored]).toEqual([
      "saved",
      [1, 0],
      [],
    ]);
  });

  it("AN7: a change whose answer was lost is saved once", async () => {
    const service = new MemoryService();
    const { store, clock, save } = await open(service, "a");
    service.losesResponses = true;
    const id = store.create(at(1), 0);
    await clock.tick();
    service.losesResponses = false;
    await clock.tick();
    expect([save(), service.objects.size, service.objects.get(id)?.revision]).toEqual(["saved", 1, 1]);
  });

  it("AN11: one change that is refused does not prevent the others from being saved, and is reported", async () => {
    const service = new MemoryService();
    const { store, clock, save } = await open(service, "a");
    const ids = [1, 2, 3, 4, 5].map((x) => store.create(at(x), 0));
    service.refused.add(ids[2]!);
    for (let i = 0; i < 9; i += 1) await clock.tick();
    expect([save(), store.state.getState().reason, service.objects.size]).toEqual(["refused", "not like that", 4]);
    service.refused.clear();
    store.patch([ids[2]!], { name: "again" });
    for (let i = 0; i < 3; i += 1) await clock.tick();
    expect([save(), service.objects.size]).toEqual(["saved", 5]);
  });

  it("AN8: shows what others make, change and delete", async () => {
    const service = new MemoryService();
    const [one, other] = [await open(service, "a"), await open(service, "b")];
    const id = one.store.create(at(1), 0);
    await one.clock.tick();
    await other.clock.tick();
    expect(other.shape(id)).toEqual([1, 0]);
    other.store.remove([id]);
    await other.clock.tick();
    await one.clock.tick();
    expect([one.store.get(id), one.store.state.getState().count]).toEqual([null, 0]);
  });

  it("AN12: two that change one object at once both keep their work", async () => {
    const service = new MemoryService();
    const [one, other] = [await open(service, "a"), await open(service, "b")];
    const id = one.store.create(at(1), 0);
    await one.clock.tick();
    await other.clock.tick();
    one.store.patch([id], { shape: at(10) });
    other.store.patch([id], { shape: at(20) });
    for (let i = 0; i < 4; i += 1) {
      await one.clock.tick();
      await other.clock.tick();
    }
    for (const { store } of [one, other]) {
      expect([...store.index.all()].map(([, content]) => [content.name, content.shape.parts[0]![0]])).toEqual([
        ["", 10],
        ["point (version of Ada)", 20],
      ]);
    }
    expect(other.store.state.getState().notice).toContain("(version of Ada)");
  });

  it("AN12: different members of one object are merged, wherever the news come from", async () => {
    const service = new MemoryService();
    const [one, other] = [await open(service, "a"), await open(service, "b")];
    const id = one.store.create(at(1), 0);
    await one.clock.tick();
    await other.clock.tick();
    one.store.patch([id], { shape: at(10) });
    other.store.patch([id], { name: "N" });
    for (let i = 0; i < 4; i += 1) {
      await other.clock.tick();
      await one.clock.tick();
    }
    expect(service.objects.get(id)?.content).toMatchObject({ name: "N", shape: { parts: [[10, 0]] } });
    expect(service.objects.size).toBe(1);
  });

  it("AN12: news about an object that is on its way wait for the answer", async () => {
    const service = new MemoryService();
    const { store, clock } = await open(service, "a");
    const id = store.create(at(1), 0);
    await clock.tick();
    const real = service.change.bind(service);
    service.change = async (changes) => {
      const outcomes = await real(changes);
      const { revision } = service.objects.get(id)!;
      service.apply({ id, revision, content: someContent(99) });
      await store.client.page(0).then(() => store.refresh());
      return outcomes;
    };
    store.patch([id], { shape: at(2) });
    for (let i = 0; i < 3; i += 1) await clock.tick();
    expect(store.get(id)?.shape.parts[0]![0]).toBe(99);
  });

  it("shows that nothing could be loaded yet, and loads when the service is there", async () => {
    const service = new MemoryService();
    service.objects.set("x", {
      id: "x",
      revision: 1,
      author: "Bo",
      editor: "Bo",
      created: "",
      updated: "",
      locked: "",
      imported: "",
      content: someContent(5),
      sequence: 1,
    });
    service.page = () => Promise.reject(new OfflineError("no answer"));
    const { store, clock, save } = await open(service, "a");
    expect([save(), store.state.getState().reason]).toEqual(["loading", "The service does not answer."]);
    service.page = (since) => MemoryService.prototype.page.call(service, since);
    await clock.tick();
    expect([save(), store.state.getState().count]).toEqual(["saved", 1]);
  });
});

describe("who may not annotate", () => {
  const measure = line("line", [0, 0, 30, 40]);

  async function looking() {
    const service = new MemoryService();
    service.editable = false;
    service.objects.set("x", {
      id: "x",
      revision: 1,
      author: "Bo",
      editor: "Bo",
      created: "",
      updated: "",
      locked: "",
      imported: "",
      content: someContent(5),
      sequence: 1,
    });
    return { service, ...(await open(service, "a")) };
  }

  it("AN23: measures, and the measurement is neither sent nor stored over a reload", async () => {
    const { service, store, clock, outbox, save } = await looking();
    const id = store.create(measure, 0);
    await clock.tick();
    expect([
      store.state.getState().count,
      store.state.getState().local,
      store.isLocal(id),
      store.get(id)?.shape,
    ]).toEqual([2, 1, true, measure]);
    expect([service.calls, outbox.stored.length, store.unsaved, save()]).toEqual([0, 0, 0, "saved"]);
    store.undo();
    expect([store.get(id), store.state.getState().local]).toEqual([null, 0]);
    store.redo();
    store.patch([id], { shape: line("line", [0, 0, 60, 80]) });
    await clock.tick();
    expect([store.get(id)?.shape.parts[0]![3], service.calls]).toEqual([80, 0]);
  });

  it("AN23: changes nothing that others have drawn", async () => {
    const { service, store, clock } = await looking();
    store.patch(["x"], { name: "mine" });
    store.remove(["x"]);
    await clock.tick();
    expect([store.mayChange("x"), store.get("x")?.name, service.calls, store.state.getState().canUndo]).toEqual([
      false,
      "",
      0,
      false,
    ]);
  });

  it("AN23: what waited from before is not sent while that is not allowed, and as soon as it is", async () => {
    const service = new MemoryService();
    service.editable = false;
    const outbox = new Box([{ id: "w", mine: someContent(1), base: { revision: 0, content: null } }]);
    const { clock, save } = await open(service, "a", outbox);
    for (let i = 0; i < 3; i += 1) await clock.tick();
    expect([service.calls, save(), outbox.stored.length]).toEqual([0, "refused", 1]);
    service.editable = true;
    for (let i = 0; i < 3; i += 1) await clock.tick();
    expect([service.objects.has("w"), save()]).toEqual([true, "saved"]);
  });

  it.each([401, 403, 404])("AN23: asks no more by itself after a %d", async (status) => {
    const service = new MemoryService();
    const { store, clock } = await open(service, "a");
    let asked = 0;
    service.page = () => {
      asked += 1;
      return Promise.reject(new ProblemError("forbidden", status, "Forbidden", ""));
    };
    for (let i = 0; i < 5; i += 1) await clock.tick();
    expect(asked).toBe(1);
    store.refresh();
    expect(asked).toBe(2);
  });
});

describe("undo and redo", () => {
  it("AN22: take a text and its first words as one step, later words as another", async () => {
    const { store } = await open(new MemoryService(), "a");
    const id = store.create(point("text", 1, 2), 0);
    store.patch([id], { name: "", text: "look here" });
    store.patch([id], { text: "look there" });
    store.undo();
    expect(store.get(id)?.text).toBe("look here");
    store.undo();
    expect([store.get(id), store.state.getState().canUndo]).toEqual([null, false]);
    store.redo();
    expect(store.get(id)?.text).toBe("look here");
  });

  it("AN22: take steps back and forth, deletions too", async () => {
    const { store, clock } = await open(new MemoryService(), "a");
    const id = store.create(at(1), 0);
    store.patch([id], { shape: at(2) });
    store.remove([id]);
    await clock.tick();
    store.undo();
    expect(store.get(id)?.shape.parts[0]![0]).toBe(2);
    store.undo();
    store.undo();
    expect(store.get(id)).toBeNull();
    store.redo();
    store.redo();
    expect(store.get(id)?.shape.parts[0]![0]).toBe(2);
    store.patch([id], { shape: line("line", [0, 0, 1, 1]) });
    expect(store.state.getState().canRedo).toBe(false);
  });

  it("AN22: leave out what another user has changed since", async () => {
    const service = new MemoryService();
    const { store, clock } = await open(service, "a");
    const id = store.create(at(1), 0);
    await clock.tick();
    service.apply({ id, revision: 1, content: someContent(7) });
    await clock.tick();
    store.undo();
    expect(store.get(id)?.shape.parts[0]![0]).toBe(7);
    expect(store.state.getState().notice).toContain("Not undone: me has changed");
  });
});
