import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ending } from "@wavescope/core/session/client";
import { member } from "@wavescope/core/session/testing";
import { type FakePage, openPage } from "../../fakePage";
import { FakeLink } from "../fakeLink";
import { stub } from "@wavescope/core/stub";
import {
  updateAddress,
  clientNow,
  enter,
  enterRecording,
  isOver,
  live,
  noClient,
  operate,
  quit,
  participantOf,
} from "./live";
import type { ReplayLink } from "./replaying";

const made = vi.hoisted(() => ({ paths: [] as string[], links: [] as unknown[] }));
vi.mock("@wavescope/core/session/connection", async () => {
  const { FakeLink: Fake } = await import("../fakeLink");
  return {
    browserConnection: (path: string) => {
      const link = new Fake();
      made.paths.push(path);
      made.links.push(link);
      return link;
    },
  };
});

const links = (): FakeLink[] => made.links as FakeLink[];
let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/he");
  made.paths.length = made.links.length = 0;
});
afterEach(() => {
  quit();
  vi.unstubAllGlobals();
});

describe("entering a session", () => {
  it("connects with it, once", () => {
    enter("5f 0c");
    enter("5f 0c");
    expect([made.paths, links()[0]!.connect.mock.calls.length]).toEqual([["/api/v1/sessions/5f%200c/live"], 1]);
    expect(live.getState().live?.id).toBe("5f 0c");
  });

  it("leaves the one before", () => {
    enter("one");
    enter("two");
    expect([links()[0]!.close.mock.calls.length, links()[1]!.close.mock.calls.length]).toEqual([1, 0]);
    const about = { id: "r1" } as Parameters<typeof enterRecording>[0];
    enterRecording(about, stub<ReplayLink>(new FakeLink()));
    expect(links()[1]!.close).toHaveBeenCalledOnce();
    expect(live.getState().live).toMatchObject({ id: "r1", recording: { about } });
  });

  it("quitting closes the connection and takes session and recording out of the address", () => {
    page = openPage("/slides/he?session=one&recording=r&case=c");
    enter("one");
    quit();
    expect([links()[0]!.close.mock.calls.length, live.getState().live, page.address]).toEqual([
      1,
      null,
      "/slides/he?case=c",
    ]);
  });
});

describe("without a session", () => {
  it("this window is nowhere, and operations go nowhere", () => {
    expect(clientNow()).toBe(noClient);
    expect(participantOf(clientNow())).toBeNull();
    expect(() => operate({ type: "leave" })).not.toThrow();
  });
});

describe("carrying a session in the address", () => {
  it.each<[Ending | null, string]>([
    [null, "/slides/he?session=5f0c"],
    ["error", "/slides/he?session=5f0c"],
    ["elsewhere", "/slides/he?session=5f0c"],
    ["version", "/slides/he?session=5f0c"],
    ["ended", "/slides/he"],
    ["left", "/slides/he"],
    ["removed", "/slides/he"],
  ])("after the ending %s: %s", (ending, address) => {
    const link = new FakeLink();
    link.state.setState({ ending });
    updateAddress(link.live);
    expect(page.address).toBe(address);
    expect(isOver(link.state.getState())).toBe(address === "/slides/he");
  });

  it("names a recording as one", () => {
    const link = new FakeLink();
    updateAddress({ ...link.live, recording: {} as NonNullable<typeof link.live.recording> });
    expect(page.address).toBe("/slides/he?recording=5f0c");
  });
});

describe("the participant of this window", () => {
  it("is none before the session is known", () => {
    const link = new FakeLink();
    link.state.setState({ you: "m2" });
    expect(participantOf(link.state.getState())).toBeNull();
  });

  it("says whether this member follows, by what it asked for last", () => {
    const link = new FakeLink();
    link.put("m2", { members: [member("m1"), member("m2", { following: false })] });
    expect(participantOf(link.state.getState())).toMatchObject({ you: "m2", following: false });
    link.state.setState({ unanswered: [{ type: "follow", following: true, ref: 1 }] });
    expect(participantOf(link.state.getState())?.following).toBe(true);
  });
});
