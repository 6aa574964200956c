import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionState } from "@wavescope/core/session/state";
import { member } from "@wavescope/core/session/testing";
import { type FakePage, openPage } from "../../fakePage";
import { queryClient } from "../../state/queries";
import { navigate } from "../../state/router";
import { FakeLink } from "../fakeLink";
import { live } from "../state/live";
import { StageNavigator } from "./stageNavigator";

const stage = (number: number, slide: string): SessionState["stage"] => ({ number, slide, pair: null, tour: null });
const everyone = { everyone_steers: true, guests_annotate: false, locked: false };
const free = [member("m1"), member("m2", { following: false })];

let page: FakePage;
let link: FakeLink;
let navigator: StageNavigator | null = null;
beforeEach(() => {
  page = openPage("/slides/he");
  queryClient.clear();
  link = new FakeLink();
  live.setState({ live: link.live });
});
afterEach(() => {
  navigator?.close();
  live.setState({ live: null });
  vi.unstubAllGlobals();
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
/** This window is the member `you` of such a session, and the navigator has begun. */
async function start(you: string, change: Partial<SessionState> = {}): Promise<void> {
  link.put(you, change);
  navigator = new StageNavigator(link.live);
  await settle();
}

describe("a member who follows", () => {
  it("is brought to the stage, and the session stays in the address", async () => {
    await start("m2", { stage: stage(1, "er") });
    expect(page.address).toBe("/slides/er?session=5f0c");
    link.put("m2", { stage: stage(2, "pr") });
    await settle();
    expect(page.address).toBe("/slides/pr?session=5f0c");
    expect(link.operations, "being brought along is no movement of its own").toEqual([]);
  });

  it("stays where the page shows the stage already", async () => {
    await start("m2");
    expect(page.writes).toEqual([]);
  });

  it("is free once it goes to another slide", async () => {
    await start("m2");
    navigate("/slides/pr");
    expect(link.operations).toEqual([{ type: "follow", following: false }]);
  });

  it("stays a follower where it only closes the tour's words", async () => {
    await start("m2", { stage: { ...stage(1, "he"), tour: { id: "t1", waypoint: "a" } } });
    navigate("/slides/he", { case: "c" });
    expect(link.operations).toEqual([]);
  });

  it("goes only to the newest stage where several come while an address is looked up", async () => {
    link.put("m2");
    navigator = new StageNavigator(link.live);
    link.put("m2", { stage: stage(2, "er") });
    link.put("m2", { stage: stage(3, "pr") });
    await settle();
    expect(page.writes.filter((line) => line.startsWith("push"))).toEqual(["push /slides/pr"]);
  });
});

describe("a member who does not follow", () => {
  it("is brought to the first stage only", async () => {
    await start("m2", { stage: stage(1, "er"), members: free });
    expect(page.address).toBe("/slides/er?session=5f0c");
    link.put("m2", { stage: stage(2, "pr"), members: free });
    await settle();
    expect(page.address).toBe("/slides/er?session=5f0c");
  });

  it("is brought to the stage when it follows again, also where the stage has not changed since", async () => {
    await start("m2", { members: free });
    navigate("/slides/pr");
    link.put("m2");
    await settle();
    expect(page.address).toBe("/slides/he?session=5f0c");
  });

  it("says nothing about where it goes", async () => {
    await start("m2", { members: free });
    navigate("/slides/pr");
    expect(link.operations).toEqual([]);
  });
});

describe("the presenter", () => {
  it("brings the stage along to another slide of the session", async () => {
    await start("m1");
    navigate("/slides/er");
    expect(link.operations).toEqual([{ type: "stage", stage: { slide: "er", pair: null, tour: null }, views: [] }]);
  });

  it("adds a slide that the session does not have yet, once", async () => {
    await start("m1");
    navigate("/compare", { left: "new", right: "new" });
    expect(link.operations[0]).toEqual({ type: "slides", slides: ["he", "er", "new"] });
    expect(link.operations[1]).toMatchObject({ type: "stage", stage: { slide: "new", pair: { slide: "new" } } });
  });

  it("sets no stage on pages without a slide", async () => {
    await start("m1");
    navigate("/");
    navigate("/compare", { left: "he" });
    expect(link.operations).toEqual([]);
  });

  it("is not moved by its own stage when it comes back as another number", async () => {
    await start("m1");
    navigate("/slides/er");
    link.put("m1", { stage: stage(2, "er") });
    await settle();
    expect(page.address).toBe("/slides/er");
  });
});

describe("SE18: where everyone navigates", () => {
  it("a member brings the stage along, but adds no slides", async () => {
    await start("m2", { settings: everyone });
    navigate("/slides/pr");
    expect(link.operations).toEqual([{ type: "stage", stage: { slide: "pr", pair: null, tour: null }, views: [] }]);
  });
});

it("SE22: nothing is asked of a session that is paused", async () => {
  await start("m2", { state: "paused" });
  navigate("/slides/pr");
  expect(link.operations).toEqual([]);
});

it("a navigator that is closed, or whose session is not that of the window, does nothing", async () => {
  await start("m2");
  live.setState({ live: null });
  link.put("m2", { stage: stage(2, "er") });
  await settle();
  live.setState({ live: link.live });
  navigator!.close();
  link.put("m2", { stage: stage(3, "pr") });
  navigate("/slides/x");
  await settle();
  expect([page.address, link.operations]).toEqual(["/slides/x", []]);
});
