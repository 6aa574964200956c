import { expect, it } from "vitest";
import { Replay } from "./replay";
import type { RecordingEntry } from "./state";
import { entry, session, view } from "./testing";

const stage = { number: 2, slide: "er", pair: null, tour: null };

function recorded(count: number): RecordingEntry[] {
  const entries: RecordingEntry[] = [{ kind: "state", time: 0, state: session() as never }];
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
  const rule = expect.objectContaining({ rule: "a recording begins with a state" });
  expect(() => new Replay(recorded(1).slice(1))).toThrow(rule);
  expect(() => new Replay([])).toThrow(rule);
});
