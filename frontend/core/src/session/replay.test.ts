import { describe, expect, it } from "vitest";
import { Replay } from "./replay";
import type { RecordingEntry } from "./state";
import { entry, session, view } from "./testing";

const stage = { number: 2, slide: "er", pair: null, tour: null };

function recorded(count: number): RecordingEntry[] {
  const entries: RecordingEntry[] = [{ kind: "state", time: 0, state: session() }];
  for (let i = 1; i <= count; i += 1)
    entries.push({ kind: "views", time: 10 * i, views: [entry({ view: view({ l0_x: i }) })] });
  entries.push({
    kind: "event",
    time: 10 * count + 5,
    sequence: 11,
    by: "m1",
    event: { kind: "note", note: { time: 1, by: "m1", text: "front" } },
  });
  entries.push({
    kind: "event",
    time: 10 * count + 10,
    sequence: 12,
    by: "m1",
    event: { kind: "stage", stage, views: [] },
  });
  return entries;
}

it("SE38: the views at a time are the views that were sent, wherever one comes from", () => {
  const replay = new Replay(recorded(2000));
  const x = (time: number) => replay.at(time).views[0]?.view.l0_x;
  expect([x(0), x(10), x(19), x(20), x(12_345), x(3), x(19_999), x(5000)]).toEqual([
    undefined,
    1,
    1,
    2,
    1234,
    undefined,
    1999,
    500,
  ]);
  expect(replay.at(Infinity)).toMatchObject({ sequence: 12, stage, views: [], notes: [{ text: "front" }] });
  expect(replay.duration).toBe(20_010);
});

it("finds the notes and the changes of the stage", () => {
  expect(new Replay(recorded(1)).moments()).toEqual([
    { time: 15, text: "front" },
    { time: 20, text: "Another slide or another stop" },
  ]);
});

it("refuses what does not begin with a state", () => {
  const rule = expect.objectContaining({ rule: "a recording begins with a state" }) as Error;
  expect(() => new Replay(recorded(1).slice(1))).toThrow(rule);
  expect(() => new Replay([])).toThrow(rule);
});

describe("SE38: the annotations of a time", () => {
  const point = (x: number) => ({ kind: "point", geometry: { type: "Point", coordinates: [x, 0] } });
  const recordedAs = (id: string, x: number | null) => ({
    ...{ id, revision: 1, deleted: x === null, author: "Nina (guest)", editor: "Ivan", created: "", updated: "" },
    content: x === null ? null : point(x),
  });
  const annotations = (time: number, ...changed: ReturnType<typeof recordedAs>[]): RecordingEntry => ({
    ...{ kind: "annotations", time, slide: "he" },
    changed,
  });
  const state = (time: number): RecordingEntry => ({ kind: "state", time, state: session() });
  const at = (replay: Replay, time: number) =>
    [...replay.annotations("he", time)!].map(([id, { content }]) => [id, content.shape.parts[0]![0]]);

  it("are those of the entries up to then, also backwards", () => {
    const entries = [
      ...[state(0), annotations(500, recordedAs("a", 1)), annotations(1000, recordedAs("b", 2))],
      ...[annotations(2000, recordedAs("a", 3)), annotations(3000, recordedAs("b", null))],
    ];
    const replay = new Replay(entries);
    // prettier-ignore
    for (const [time, expected] of [
      [0, [["a", 1]]], // the first entry has what was there when the slide was shown
      [
        1500,
        [
          ["a", 1],
          ["b", 2],
        ],
      ],
      [9000, [["a", 3]]],
      [
        2000,
        [
          ["a", 3],
          ["b", 2],
        ],
      ],
    ] as const)
      expect(at(replay, time)).toEqual(expected);
    expect(replay.annotations("he", 2500)).toBe(replay.annotations("he", 2600));
    expect(replay.annotations("he", 0)!.get("a")).toMatchObject({ author: "Nina (guest)", editor: "Ivan" });
    expect(replay.annotations("er", 0)).toBeNull();
  });

  it("begin anew after a state: the recording went on after a restart", () => {
    const replay = new Replay([
      ...[state(0), annotations(500, recordedAs("a", 1), recordedAs("b", 2))],
      ...[state(4000), annotations(4500, recordedAs("b", 2)), annotations(5000, recordedAs("c", 3))],
    ]);
    expect(at(replay, 6000)).toEqual([
      ["b", 2],
      ["c", 3],
    ]);
  });
});
