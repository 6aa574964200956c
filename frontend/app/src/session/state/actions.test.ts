import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { member } from "@wavescope/core/session/testing";
import { type FakePage, openPage } from "../../fakePage";
import { FakeLink } from "../fakeLink";
import * as actions from "./actions";
import { dialogs, showDialog } from "./dialogs";
import { live } from "./live";

let link: FakeLink;
let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/he?session=5f0c");
  link = new FakeLink();
  live.setState({ live: link.live });
  showDialog(null);
});
afterEach(() => {
  live.setState({ live: null });
  vi.unstubAllGlobals();
});

describe("following", () => {
  it("is resumed by the person who left it", () => {
    link.put("m2");
    actions.rejoin();
    expect(link.operations).toEqual([{ type: "follow", following: true }]);
  });

  it.each([true, false])("that is %s is switched", (following) => {
    link.put("m2", { members: [member("m1"), member("m2", { following })] });
    actions.toggleFollowing();
    expect(link.operations).toEqual([{ type: "follow", following: !following }]);
  });

  it("is nothing for the presenter", () => {
    link.put("m1");
    actions.toggleFollowing();
    expect(link.operations).toEqual([]);
  });
});

describe("operations", () => {
  it("present as oneself", () => {
    link.put("m2");
    actions.takeOver();
    expect(link.operations).toEqual([{ type: "present", member: "m2" }]);
  });

  it.each([
    ["live", true],
    ["paused", false],
  ] as const)("of a session that is %s ask for a pause: %s", (state, paused) => {
    link.put("m1", { state });
    actions.togglePause();
    expect(link.operations).toEqual([{ type: "pause", paused }]);
  });

  it.each([
    [null, true],
    [17, false],
  ])("with the hand %s ask for it raised: %s", (hand, raised) => {
    link.put("m2", { members: [member("m1"), member("m2", { hand })] });
    actions.toggleHand();
    expect(link.operations).toEqual([{ type: "hand", member: "m2", raised }]);
  });

  it.each([
    [null, true],
    [{ id: "r1", since: 1 }, false],
  ])("with the recording %j ask for one: %s", (recording, on) => {
    link.put("m1", { recording });
    actions.toggleRecording();
    expect(link.operations).toEqual([{ type: "record", on }]);
  });

  it("do nothing outside a session", () => {
    live.setState({ live: null });
    expect(actions.inSession()).toBe(false);
    for (const act of [
      actions.toggleFollowing,
      actions.takeOver,
      actions.togglePause,
      actions.toggleHand,
      actions.toggleRecording,
      actions.goToStage,
    ])
      expect(act).not.toThrow();
    expect([link.operations, page.writes]).toEqual([[], []]);
  });
});

describe("leaving", () => {
  it("the owner is asked whether the session ends for all", () => {
    link.put("m1");
    actions.leaveOrEnd();
    expect([dialogs.getState().open, link.operations]).toEqual(["end", []]);
  });

  it.each<[string, string, "live" | "ended"]>([
    ["another member", "m2", "live"],
    ["the owner of a session that has ended", "m1", "ended"],
  ])("%s leaves at once, and the address forgets the session", (_, you, state) => {
    link.put(you, { state });
    actions.leaveOrEnd();
    expect(link.operations).toEqual([{ type: "leave" }]);
    expect([dialogs.getState().open, live.getState().live, page.address]).toEqual([null, null, "/slides/he"]);
    expect(link.close).toHaveBeenCalledOnce();
  });
});

it("goes to the page that shows the session's stage", async () => {
  link.put("m2", { stage: { number: 3, slide: "er 1", pair: null, tour: null } });
  actions.goToStage();
  await Promise.resolve();
  expect(page.address).toBe("/slides/er%201?session=5f0c");
});
