import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Member, SessionState } from "@wavescope/core/session/state";
import { member, session } from "@wavescope/core/session/testing";
import { rendered } from "../../rendered";
import type { Participant } from "../state/live";
import { MemberList } from "./MemberList";
import { SessionControls, SessionSettings } from "./SessionControls";

const account = vi.hoisted(() => ({ accounts: true }));
vi.mock("../../accounts/account", () => ({ useHasAccounts: () => account.accounts }));

beforeEach(() => (account.accounts = true));
afterEach(() => vi.clearAllMocks());

const participant = (you: string, members: Member[], change: Partial<SessionState> = {}): Participant => ({
  session: session({ members, ...change }),
  whole: session({ members, ...change }),
  you,
  following: true,
});
const list = (...given: Parameters<typeof participant>): string => rendered(<MemberList {...participant(...given)} />);
const order = (html: string): string[] => [...html.matchAll(/data-member="(\w+)"/g)].map(([, id]) => id!);
/** The row of one member. */
const rowOf = (html: string, id: string): string =>
  html.split("<li").find((row) => row.includes(`data-member="${id}"`)) ?? "";

describe("the members of a session", () => {
  it("come with raised hands first, then those present, then by when they joined", () => {
    const members = [
      member("m1", { joined: 1 }),
      member("m2", { joined: 2, present: false }),
      member("m3", { joined: 3, hand: 20 }),
      member("m4", { joined: 4, hand: 10 }),
      member("m5", { joined: 0 }),
    ];
    expect(order(list("m1", members))).toEqual(["m4", "m3", "m5", "m1", "m2"]);
  });

  it("are marked as oneself, as host and as away", () => {
    const html = list("m1", [member("m1"), member("m2", { present: false })]);
    expect(rowOf(html, "m1")).toContain("Ada (you, host)");
    expect(rowOf(html, "m2")).toContain("Ben (away)");
  });

  it("are counted where they are present", () => {
    const [two, one] = [true, false].map((present) => list("m1", [member("m1"), member("m2", { present })]));
    expect(two).not.toBe(one);
    expect(two).toMatch(/>[^<]*2[^<]*</);
    expect(one).toMatch(/>[^<]*1[^<]*</);
  });

  it.each<[string, Partial<Member>, boolean]>([
    ["who browses by itself", { following: false }, true],
    ["who follows", {}, false],
    ["who is away", { following: false, present: false }, false],
  ])("a member %s is marked accordingly", (_, change, marked) => {
    const row = rowOf(list("m1", [member("m1"), member("m2", change)]), "m2");
    expect(row.includes('role="img"')).toBe(marked);
  });

  it("the presenter is marked as presenting only, also where it does not follow", () => {
    const row = rowOf(list("m2", [member("m1", { following: false }), member("m2")]), "m1");
    expect(row.match(/role="img"/g)).toHaveLength(1);
  });

  it("a name is text, never markup", () => {
    const html = list("m1", [member("m1", { name: "<img src=x>" })]);
    expect(html).toContain("&lt;img src=x&gt;");
    expect(html).not.toContain("<img");
  });
});

describe("what may be done about a member", () => {
  const offered = (you: string, members: Member[], change: Partial<SessionState> = {}): string[] => {
    const html = list(you, members, change);
    return order(html).filter((id) => rowOf(html, id).includes("<button"));
  };
  const two = [member("m1"), member("m2")];

  it("by the owner: something about every other one, nothing about itself while it presents", () => {
    expect(offered("m1", two)).toEqual(["m2"]);
  });

  it("by the owner who does not present: about all, itself too", () => {
    expect(offered("m1", two, { presenter: "m2" })).toEqual(["m1", "m2"]);
  });

  it("by any other member: nothing, but lowering one's own hand", () => {
    expect(offered("m2", two)).toEqual([]);
    expect(offered("m2", [member("m1", { hand: 3 }), member("m2", { hand: 4 })])).toEqual(["m2"]);
  });

  it("by the presenter who is not the owner: handing over to those present, lowering hands", () => {
    const members = [
      member("m1"),
      member("m2"),
      member("m3", { present: false }),
      member("m4", { present: false, hand: 1 }),
    ];
    expect(offered("m2", members, { presenter: "m2" })).toEqual(["m4", "m1"]);
  });
});

describe("the controls of a session", () => {
  const controls = (you: string, change: Partial<SessionState> = {}): string =>
    rendered(
      <>
        <SessionControls {...participant(you, [member("m1"), member("m2"), member("m3")], change)} />
        <SessionSettings {...participant(you, [member("m1"), member("m2"), member("m3")], change)} />
      </>,
    );
  const count = (html: string): [number, number] => [
    html.match(/<button/g)?.length ?? 0,
    html.match(/type="checkbox"/g)?.length ?? 0,
  ];

  it.each<[string, string, [number, number]]>([
    ["the owner", "m1", [3, 3]],
    ["the presenter", "m2", [2, 0]],
    ["another member", "m3", [1, 0]],
  ])("%s gets its own buttons and switches", (_, you, expected) => {
    expect(count(controls(you, { presenter: "m2" }))).toEqual(expected);
  });

  it("who annotates is no question without accounts", () => {
    account.accounts = false;
    expect(count(controls("m1"))).toEqual([3, 2]);
  });

  it("name what they would change now", () => {
    const [live, paused] = [controls("m1"), controls("m1", { state: "paused" })];
    expect(live).not.toBe(paused);
    expect(paused).toContain("Resume");
    expect(live).not.toContain("Resume");
    expect(controls("m1", { recording: { id: "r", since: 1 } })).toContain("Stop");
  });
});
