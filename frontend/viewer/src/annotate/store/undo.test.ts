import { describe, expect, it } from "vitest";
import { point } from "@wavescope/core/geometry/shape";
import { seeded } from "@wavescope/core/wire/testing";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import {
  type Edit,
  type History,
  type Shown,
  joinFirstText,
  moveToCopy,
  record,
  redo,
  startHistory,
  undo,
} from "./undo";
import { sameContent } from "./reconcile";
import { someContent } from "./testing";

const edit = (id: string, before: Content | null, after: Content | null): Edit => ({ id, before, after });
const show = (get: (id: string) => Content | null): Shown => ({ get, isLocked: () => false });
const nothing = show(() => null);

describe("AN22: record", () => {
  it("appends a step and forgets what was undone", () => {
    const first = record(startHistory, [edit("a", null, someContent(1))]);
    const back = undo(
      first,
      show(() => someContent(1)),
    )!.history;
    expect([back.done.length, back.undone.length]).toEqual([0, 1]);
    const other = record(back, [edit("b", null, someContent(2))]);
    expect([other.done.length, other.undone.length]).toEqual([1, 0]);
  });

  it("ignores a step without edits", () => {
    expect(record(startHistory, [])).toBe(startHistory);
  });

  it("remembers the last 200 steps", () => {
    let history = startHistory;
    for (let i = 0; i < 250; i += 1) history = record(history, [edit(`${i}`, null, someContent(i))]);
    expect([history.done.length, history.done[0]![0]!.id]).toEqual([200, "50"]);
  });
});

describe("AN22: undo and redo", () => {
  it("have nothing to do at the ends of the history", () => {
    expect([undo(startHistory, nothing), redo(startHistory, nothing)]).toEqual([null, null]);
  });

  it("take the edits of a step back in reverse order", () => {
    const step = [edit("a", null, someContent(1)), edit("b", someContent(2), someContent(3))];
    const turn = undo(
      record(startHistory, step),
      show((id) => someContent(id === "a" ? 1 : 3)),
    )!;
    expect(turn.edits).toEqual([edit("b", someContent(3), someContent(2)), edit("a", someContent(1), null)]);
    expect(turn.stale).toEqual([]);
  });

  it("leave out objects that are not as the step left them, and name them", () => {
    const step = [edit("a", null, someContent(1)), edit("b", null, someContent(2))];
    const shown = (id: string): Content | null => (id === "a" ? someContent(1) : someContent(99));
    const turn = undo(record(startHistory, step), show(shown))!;
    expect(turn.edits).toEqual([edit("a", someContent(1), null)]);
    expect(turn.stale).toEqual(["b"]);
  });

  it("lead back to every state and forward again, whatever was done", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seeded(seed);
      let objects = new Map<string, Content>();
      let history: History = startHistory;
      const states = [objects];
      const apply = (edits: readonly Edit[]): void => {
        objects = new Map(objects);
        for (const { id, after } of edits)
          if (after) objects.set(id, after);
          else objects.delete(id);
      };
      for (let i = 0; i < 30; i += 1) {
        const id = "abcde"[Math.floor(random() * 5)]!;
        const before = objects.get(id) ?? null;
        const after = before && random() < 0.3 ? null : someContent(i + 1);
        const step = [edit(id, before, after)];
        apply(step);
        history = record(history, step);
        states.push(objects);
      }
      const expectState = (state: ReadonlyMap<string, Content>): void => {
        expect([...objects.keys()].sort()).toEqual([...state.keys()].sort());
        for (const [id, content] of state) expect(sameContent(objects.get(id)!, content)).toBe(true);
      };
      const shown = show((id) => objects.get(id) ?? null);
      for (let i = states.length - 2; i >= 0; i -= 1) {
        const turn = undo(history, shown)!;
        expect(turn.stale).toEqual([]);
        ({ history } = turn);
        apply(turn.edits);
        expectState(states[i]!);
      }
      expect(undo(history, shown)).toBeNull();
      for (let i = 1; i < states.length; i += 1) {
        const turn = redo(history, shown)!;
        ({ history } = turn);
        apply(turn.edits);
        expectState(states[i]!);
      }
    }
  });
});

describe("AN51: undo beside others", () => {
  const [old, mine] = [someContent(1, { name: "A" }), someContent(1, { name: "B" })];
  const history = record(startHistory, [edit("a", old, mine)]);

  it("takes back what its user changed and leaves what others changed", () => {
    const shown = { ...mine, text: "theirs" };
    const turn = undo(
      history,
      show(() => shown),
    )!;
    expect(turn.edits).toEqual([edit("a", shown, { ...old, text: "theirs" })]);
    const again = redo(
      turn.history,
      show(() => ({ ...old, text: "theirs" })),
    )!;
    expect(again.edits[0]!.after).toEqual(shown);
  });

  it.each<[string, History, Content | null]>([
    ["another has changed the same", history, { ...mine, name: "C" }],
    ["another has deleted the object", history, null],
    ["another has changed what was made", record(startHistory, [edit("a", null, mine)]), { ...mine, text: "theirs" }],
    [
      "another has restored what was deleted",
      record(startHistory, [edit("a", mine, null)]),
      { ...mine, text: "theirs" },
    ],
  ])("leaves an object out if %s", (_, done, shown) => {
    const turn = undo(
      done,
      show(() => shown),
    )!;
    expect([turn.edits, turn.stale]).toEqual([[], ["a"]]);
  });

  it("leaves a locked object out", () => {
    const turn = undo(history, { get: () => mine, isLocked: () => true })!;
    expect([turn.edits, turn.stale]).toEqual([[], ["a"]]);
  });

  it("has nothing to do, and nothing to say, where the object is so already", () => {
    const turn = undo(history, { get: () => old, isLocked: () => true })!;
    expect([turn.edits, turn.stale]).toEqual([[], []]);
  });

  it("deletes the copy that a change became", () => {
    const copy = { ...mine, name: "B (version of Ada)" };
    const moved = moveToCopy(history, "a", edit("b", null, copy));
    const turn = undo(
      moved,
      show((id) => (id === "b" ? copy : someContent(9))),
    )!;
    expect(turn.edits).toEqual([edit("b", copy, null)]);
    expect(moveToCopy(history, "z", edit("b", null, copy))).toBe(history);
  });
});

describe("AN22: joinFirstWords", () => {
  const placed = someContent(1, { shape: point("text", 1, 0) });
  const named = { ...placed, text: "Duct" };
  const history = record(startHistory, [edit("a", null, placed)]);

  it("makes one step of a new text and its first words", () => {
    const joined = joinFirstText(history, edit("a", placed, named))!;
    expect(joined.done).toEqual([[edit("a", null, named)]]);
    expect(
      undo(
        joined,
        show(() => named),
      )!.edits,
    ).toEqual([edit("a", named, null)]);
  });

  it.each<[string, History, Edit]>([
    ["the words of another text", history, edit("b", placed, named)],
    ["later words", record(startHistory, [edit("a", null, named)]), edit("a", named, { ...named, text: "Lobule" })],
    [
      "an object of another kind",
      record(startHistory, [edit("a", null, someContent(1))]),
      edit("a", someContent(1), named),
    ],
    ["a text that was moved since", history, edit("a", { ...placed, shape: point("text", 9, 9) }, named)],
    [
      "a text that was placed with others",
      record(startHistory, [edit("a", null, placed), edit("b", null, placed)]),
      edit("a", placed, named),
    ],
    ["a text of which the history knows nothing", startHistory, edit("a", placed, named)],
  ])("leaves %s a step of its own", (_, before, one) => {
    expect(joinFirstText(before, one)).toBeNull();
  });
});
