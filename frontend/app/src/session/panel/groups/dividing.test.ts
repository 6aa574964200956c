import { describe, expect, it } from "vitest";
import { groupOf } from "@wavescope/core/session/state";
import { member, session } from "@wavescope/core/session/testing";
import { dividedEvenly, membersIn, shuffled, toDivide } from "./dividing";

describe("SE62: dividing", () => {
  it("takes those who are here but the host, in the order in which they joined", () => {
    const members = [member("m1"), member("m3", { joined: 9 }), member("m2"), member("m4", { present: false })];
    expect(toDivide(session({ members })).map(({ id }) => id)).toEqual(["m2", "m3"]);
  });

  it.each([
    [5, 2, [3, 2]],
    [6, 3, [2, 2, 2]],
    [2, 3, [1, 1, 0]],
    [0, 2, [0, 0]],
  ])("%i people into %i groups are %j", (people, count, sizes) => {
    const list = Array.from({ length: people }, (_, i) => i);
    const groups = dividedEvenly(list, count);
    expect(groups.map(({ length }) => length)).toEqual(sizes);
    expect(groups.flat().sort()).toEqual(list);
  });

  it("mixes without losing anyone", () => {
    const list = [1, 2, 3, 4, 5];
    expect(shuffled(list, () => 0)).toEqual([2, 3, 4, 5, 1]);
    expect([...shuffled(list)].sort()).toEqual(list);
  });
});

it("SE66: the host is in a list of members only as a visitor", () => {
  const stage = { number: 2, slide: "he", pair: null, tour: null } as const;
  const group = { id: "g1", name: "A", members: ["m2"], presenter: "m2", lost_until: null, stage, views: [] } as const;
  const state = session({ members: ["m1", "m2", "m3"].map((id) => member(id)), groups: [group] });
  expect(membersIn(state, null).map(({ id }) => id)).toEqual(["m3"]);
  const visited = { ...state, groups: [{ ...group, members: ["m2", "m1"] }] };
  expect(membersIn(visited, groupOf(visited, "m2")).map(({ id }) => id)).toEqual(["m1", "m2"]);
});
