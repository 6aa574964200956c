import { expect, it } from "vitest";
import { foldEvent, foldTick } from "./fold";
import { follows, leads, mayTakeOver, shownEntry } from "./state";
import { entry, member, session, view } from "./testing";

it("SE2, SE19: every event raises the sequence by one and replaces what it names", () => {
  const raised = foldEvent(session(), { kind: "member", member: member("m2", { hand: 5 }) });
  expect(raised).toEqual(session({ sequence: 11, members: [member("m1"), member("m2", { hand: 5 })] }));
  expect(foldEvent(session(), { kind: "member", member: member("m3") }).members.map(({ id }) => id)).toEqual([
    "m1",
    "m2",
    "m3",
  ]);
  expect(foldEvent(session(), { kind: "presenter", presenter: null, lost_until: 9, reason: "grace" })).toMatchObject({
    presenter: null,
    lost_until: 9,
  });
  expect(foldEvent(session(), { kind: "title", title: "New", code: "23456789" })).toMatchObject({
    title: "New",
    code: "23456789",
  });
});

it("takes out who is gone, with the cursor", () => {
  const cursors = [{ by: "m2", pane: 0 as const, l0_x: 1, l0_y: 1, laser: false }];
  const gone = foldEvent(session({ cursors }), { kind: "gone", member: "m2", reason: "left" });
  expect([gone.members.length, gone.cursors.length]).toEqual([1, 0]);
});

it("SE31: who lost the last connection stays a member, absent, hand lowered, cursor hidden", () => {
  const cursors = [{ by: "m2", pane: 0, l0_x: 1, l0_y: 1, laser: false }];
  const state = session({ cursors, members: [member("m1"), member("m2", { hand: 4 })] });
  const absent = foldEvent(state, { kind: "absent", members: ["m2"] });
  expect([absent.members[1], absent.cursors]).toEqual([member("m2", { present: false }), []]);
});

it("passes over cursors of another stage", () => {
  expect(
    foldTick(session(), { stage: 0, cursors: [{ by: "m2", pane: 0, l0_x: 1, l0_y: 2, laser: true }] }).state.cursors,
  ).toEqual([]);
});

it("keeps the last 200 notes", () => {
  let state = session();
  for (let i = 0; i < 201; i += 1) state = foldEvent(state, { kind: "note", note: { time: i, by: "m1", text: "x" } });
  expect([state.notes.length, state.notes[0]!.time]).toEqual([200, 1]);
});

it("drops annotations of slides that are gone", () => {
  const annotations = [
    { slide: "he", sequence: 3 },
    { slide: "er", sequence: 4 },
  ];
  const state = foldEvent(session({ annotations }), { kind: "slides", slides: [{ id: "er", title: "Receptor" }] });
  expect(state.annotations).toEqual([{ slide: "er", sequence: 4 }]);
});

it("SE16: keeps views of a stage to come, passes over those of an earlier one", () => {
  const { state, early } = foldTick(session(), { views: [entry({ stage: 2 }), entry({ stage: 0 })] });
  expect(state.views).toEqual([]);
  expect(early).toEqual([entry({ stage: 2 })]);
});

it("the view moved last is the last of the list, one for each pane", () => {
  const first = foldTick(session(), { views: [entry(), entry({ pane: 1 })] }).state;
  const { state } = foldTick(first, { views: [entry({ view: view({ l0_x: 1 }) })] });
  expect(state.views.map(({ pane }) => pane)).toEqual([1, 0]);
  expect(shownEntry(state, 0)?.view.l0_x).toBe(1);
});

it("hides the cursors that have no place, and all of them with a new stage", () => {
  const cursor = { by: "m2", pane: 0 as const, l0_x: 1, l0_y: 2, laser: true };
  const shown = foldTick(session(), { cursors: [cursor] }).state;
  expect(shown.cursors).toEqual([cursor]);
  expect(foldTick(shown, { cursors: [{ ...cursor, l0_x: null, l0_y: null }] }).state.cursors).toEqual([]);
  const stage = { number: 2, slide: "er", pair: null, tour: null };
  expect(foldEvent(shown, { kind: "stage", stage, views: [entry({ stage: 2 })] })).toMatchObject({
    stage,
    cursors: [],
    views: [{ stage: 2 }],
  });
});

it("SE18, SE22: who leads and who follows", () => {
  const everyone = session({ settings: { everyone_steers: true, guests_annotate: false, locked: false } });
  expect([
    leads(session(), "m1", true),
    leads(session(), "m2", true),
    leads(everyone, "m2", true),
    leads(everyone, "m2", false),
  ]).toEqual([true, false, true, false]);
  expect([
    follows(session(), "m1", true),
    follows(session(), "m2", true),
    follows(session(), "m2", false),
    follows(session({ state: "paused" }), "m2", true),
  ]).toEqual([false, true, false, false]);
  expect([
    mayTakeOver(session(), "m1"),
    mayTakeOver(session(), "m2"),
    mayTakeOver(everyone, "m2"),
    mayTakeOver(session({ presenter: "m2" }), "m1"),
  ]).toEqual([false, false, true, true]);
});
