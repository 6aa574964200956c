import { describe, expect, it } from "vitest";
import { foldEvent, foldTick } from "./fold";
import { type Group, type SessionState, groupOf, mayTakeOver, seenBy } from "./state";
import { entry, member, session } from "./testing";

const group = (id: Group["id"], members: Group["members"], change: Partial<Group> = {}): Group => ({
  id,
  name: `Group ${id}`,
  members,
  presenter: members[0] ?? null,
  lost_until: null,
  stage: { number: id === "g1" ? 2 : 3, slide: "er", pair: null, tour: null },
  views: [],
  ...change,
});

const divided = (change: Partial<SessionState> = {}): SessionState =>
  session({
    members: ["m1", "m2", "m3", "m4"].map((id) => member(id)),
    groups: [group("g1", ["m2", "m3"]), group("g2", ["m4"])],
    cursors: ["m1", "m3", "m4"].map((by) => ({ by, pane: 0, l0_x: 1, l0_y: 1, laser: false }) as const),
    ...change,
  });

describe("SE63: a session as a member sees it", () => {
  it("has the presenter, the stage and the pointers of the own group, and all members", () => {
    const seen = seenBy(divided(), "m2");
    expect([seen.presenter, seen.stage.number, seen.stage.slide]).toEqual(["m2", 2, "er"]);
    expect(seen.cursors.map(({ by }) => by)).toEqual(["m3"]);
    expect(seen.members).toHaveLength(4);
  });

  it("is that of all for who is in no group, without the pointers of groups", () => {
    const seen = seenBy(divided(), "m1");
    expect([seen.presenter, seen.stage.number]).toEqual(["m1", 1]);
    expect(seen.cursors.map(({ by }) => by)).toEqual(["m1"]);
  });

  it("is the same one where there are no groups", () => {
    const whole = session();
    expect(seenBy(whole, "m2")).toBe(whole);
  });

  it("lets every member of a group that nobody presents take over", () => {
    const state = divided({ groups: [group("g1", ["m2", "m3"], { presenter: null })] });
    expect(["m2", "m3", "m4"].map((id) => mayTakeOver(seenBy(state, id), id))).toEqual([true, true, false]);
  });
});

describe("SE63: views", () => {
  it("are those of the stage with their number", () => {
    const { state, early } = foldTick(divided(), {
      stage: 2,
      views: [entry({ stage: 2, by: "m2" }), entry({ stage: 9 })],
    });
    expect(state.groups!.map(({ views }) => views.length)).toEqual([1, 0]);
    expect(state.views).toEqual([]);
    expect(early.map(({ stage }) => stage)).toEqual([9]);
  });

  it("of all stay out of the groups", () => {
    const { state } = foldTick(divided(), { stage: 1, views: [entry()] });
    expect([state.views.length, state.groups!.map(({ views }) => views.length)]).toEqual([1, [0, 0]]);
  });
});

it("SE66: a group that changes is replaced; all are called back by none", () => {
  const moved = foldEvent(divided(), { kind: "group", group: group("g2", ["m4", "m3"]) });
  expect(groupOf(moved, "m4")?.members).toEqual(["m4", "m3"]);
  expect(moved.cursors.map(({ by }) => by)).toEqual(["m1"]);
  const back = foldEvent(moved, { kind: "groups", groups: [] });
  expect([groupOf(back, "m4"), back.cursors]).toEqual([null, []]);
  expect(seenBy(back, "m4").stage.number).toBe(1);
});
