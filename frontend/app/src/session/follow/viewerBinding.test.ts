import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { type ClientState, startClient } from "@wavescope/core/session/client";
import type { SessionState } from "@wavescope/core/session/state";
import { entry, member, session, view } from "@wavescope/core/session/testing";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { laser } from "../state/laser";
import { ownNames } from "../state/names";
import { type Live, operate } from "../state/live";
import { stub } from "@wavescope/core/stub";
import { ViewerBinding } from "./viewerBinding";

const shared = vi.hoisted(() => ({
  events: null as null | { handleOwnMove(): void; sendView(view: unknown, motion: unknown): void },
  show: vi.fn(),
  release: vi.fn(),
  prefetchHint: vi.fn(),
  report: vi.fn(),
  close: vi.fn(),
}));
const pointers = vi.hoisted(() => ({
  set: vi.fn<(shown: readonly { label: string }[]) => void>(),
  hover: vi.fn(),
  close: vi.fn(),
}));
const own = vi.hoisted(() => ({
  report: null as null | ((at: { l0_x: number; l0_y: number } | null) => void),
  pointAtCentre: vi.fn(),
  close: vi.fn(),
}));
const page = vi.hoisted(() => ({ shows: true, refresh: vi.fn() }));

vi.mock("@wavescope/viewer/live/viewSharing", () => ({
  SharedMicroscope: function (_: unknown, events: typeof shared.events) {
    shared.events = events;
    return shared;
  },
}));
vi.mock("@wavescope/viewer/live/pointers", () => ({
  PointerLayer: function () {
    return pointers;
  },
}));
vi.mock("@wavescope/viewer/live/ownPointer", () => ({
  OwnPointer: function (_: unknown, report: typeof own.report) {
    own.report = report;
    return own;
  },
  pointByTouch: () => () => undefined,
}));
vi.mock("@wavescope/viewer/annotate/annotations", () => ({
  annotationsOf: () => ({ store: { refresh: page.refresh } }),
}));
vi.mock("../state/stage", () => ({ sceneAt: () => null, areSameSlides: () => page.shows }));
vi.mock("../state/live", async () => {
  const { isFollowing } = await import("@wavescope/core/session/client");
  return {
    operate: vi.fn(),
    participantOf: (client: ClientState) =>
      client.session && client.you
        ? { session: client.session, you: client.you, following: isFollowing(client) }
        : null,
  };
});

const client = createStore<ClientState>(() => startClient("window-1"));
const sent = { view: vi.fn(), cursor: vi.fn() };
const here = stub<Live>({ id: "5f0c", connection: { state: client, ...sent }, recording: null });
const microscope = stub<Microscope>({ manifest: { id: "he" } });
let binding: ViewerBinding;

function put(you: string, change: Partial<SessionState> = {}): void {
  client.setState({ phase: "live", you, session: session(change) });
}

const open = (
  ...of: ConstructorParameters<typeof ViewerBinding> extends [unknown, unknown, (infer Pane)?] ? [Pane?] : never
) => (binding = new ViewerBinding(microscope, here, ...of));
const everyone = { everyone_steers: true, guests_annotate: false, locked: false };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("location", {});
  page.shows = true;
  laser.setState({ on: false });
  client.setState(startClient("window-1"), true);
  vi.advanceTimersByTime(10_000);
});
afterEach(() => {
  binding.close();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("following", () => {
  it("SE17: shows each new entry of the presenter once, and where it is going", () => {
    const moving = { l0_vx: 10, l0_vy: 0, target: null };
    const one = entry({ motion: moving });
    put("m2", { views: [one] });
    open();
    expect(shared.show).toHaveBeenCalledExactlyOnceWith(one.view);
    expect(shared.prefetchHint).toHaveBeenCalledExactlyOnceWith(one.view, moving);
    put("m2", { views: [one], title: "New" });
    expect(shared.show).toHaveBeenCalledOnce();
    const next = entry({ view: view({ l0_x: 7 }) });
    put("m2", { views: [next] });
    expect(shared.show).toHaveBeenLastCalledWith(next.view);
  });

  it.each<[string, Partial<SessionState>]>([
    ["of another pane", { views: [entry({ pane: 1 })] }],
    ["of another stage", { views: [entry({ stage: 2 })] }],
    ["of its own", { views: [entry({ by: "m2" })] }],
    ["while the session is paused", { views: [entry()], state: "paused" }],
    ["without a presenter", { views: [entry()], presenter: null }],
  ])("shows no entry %s", (_, change) => {
    put("m2", change);
    open();
    expect(shared.show).not.toHaveBeenCalled();
  });

  it("shows nothing while the page shows other slides, and then what is there", () => {
    page.shows = false;
    put("m2", { views: [entry()] });
    open();
    expect(shared.show).not.toHaveBeenCalled();
    expect(pointers.set).toHaveBeenLastCalledWith([]);
    page.shows = true;
    put("m2", { views: [entry()] });
    expect(shared.show).toHaveBeenCalledOnce();
  });

  it("fetches ahead what the presenter looks at where this member does not follow", () => {
    const members = [member("m1"), member("m2", { following: false })];
    const one = entry();
    put("m2", { members, views: [one] });
    open();
    expect(shared.show).not.toHaveBeenCalled();
    expect(shared.prefetchHint).toHaveBeenLastCalledWith(one.view, one.motion);
  });

  it("SE22: an own movement frees it", () => {
    put("m2", { views: [entry()] });
    open();
    shared.events!.handleOwnMove();
    expect(operate).toHaveBeenCalledExactlyOnceWith({ type: "follow", following: false });
  });

  it("shows a moving view in steps, or where it goes to, for who wants no motion", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const target = view({ l0_x: 900 });
    const gliding = (l0_x: number) => entry({ view: view({ l0_x }), motion: { l0_vx: 1, l0_vy: 0, target: null } });
    put("m2", { views: [entry({ motion: { l0_vx: 1, l0_vy: 0, target } })] });
    open();
    expect(shared.show).toHaveBeenLastCalledWith(target);
    put("m2", { views: [gliding(1)] });
    expect(shared.show).toHaveBeenLastCalledWith(gliding(1).view);
    vi.advanceTimersByTime(400);
    put("m2", { views: [gliding(2)] });
    expect(shared.show).toHaveBeenLastCalledWith(gliding(1).view);
    vi.advanceTimersByTime(100);
    put("m2", { views: [gliding(3)] });
    expect(shared.show).toHaveBeenLastCalledWith(gliding(3).view);
  });
});

describe("presenting", () => {
  it("tells what it looks at when it begins, and sends what it looks at from then on", () => {
    put("m1");
    open();
    expect([shared.release.mock.calls.length, shared.report.mock.calls.length]).toEqual([1, 1]);
    shared.events!.sendView(view({ l0_x: 3 }), null);
    expect(sent.view).toHaveBeenCalledExactlyOnceWith({
      pane: 0,
      stage: 1,
      view: view({ l0_x: 3 }),
      motion: null,
      swipe: null,
    });
  });

  it("tells it again on another stage, and not where nothing has changed", () => {
    put("m1");
    open();
    put("m1", { title: "New" });
    expect(shared.report).toHaveBeenCalledOnce();
    put("m1", { stage: { number: 2, slide: "he", pair: null, tour: null } });
    expect(shared.report).toHaveBeenCalledTimes(2);
  });

  it("SE17: tells it again when it has connected again", () => {
    put("m1");
    open();
    expect(shared.report).toHaveBeenCalledOnce();
    client.setState({ phase: "waiting" });
    const before = shared.report.mock.calls.length;
    put("m1", { title: "New" });
    expect(shared.report.mock.calls.length).toBe(before + 1);
    put("m1", { title: "Newer" });
    expect(shared.report.mock.calls.length).toBe(before + 1);
  });

  it("leaves what all look at as it is when it takes over", () => {
    const one = entry();
    put("m2", { views: [one] });
    open();
    put("m2", { views: [one], presenter: "m2" });
    expect(shared.report).not.toHaveBeenCalled();
    expect(shared.release).toHaveBeenCalled();
  });

  it("sends nothing where it only follows the other pane, or does not lead", () => {
    put("m1");
    open({ pane: 1, leads: () => false, accepts: () => true, swipe: () => null });
    shared.events!.sendView(view(), null);
    binding.close();
    put("m2");
    open();
    shared.events!.sendView(view(), null);
    expect(sent.view).not.toHaveBeenCalled();
  });
});

describe("SE18: where everyone steers", () => {
  it("an own movement is sent for 600 ms, and others' movements do not move the picture meanwhile", () => {
    put("m2", { settings: everyone });
    open();
    shared.events!.handleOwnMove();
    shared.events!.sendView(view({ l0_x: 1 }), null);
    expect(sent.view).toHaveBeenCalledOnce();
    const other = entry({ view: view({ l0_x: 5 }) });
    put("m2", { settings: everyone, views: [other] });
    expect(shared.show).not.toHaveBeenCalled();
    vi.advanceTimersByTime(601);
    expect(shared.show).toHaveBeenCalledExactlyOnceWith(other.view);
    shared.events!.sendView(view({ l0_x: 2 }), null);
    expect(sent.view).toHaveBeenCalledOnce();
    expect(operate).not.toHaveBeenCalled();
  });
});

describe("pointers and annotations", () => {
  const cursor = (by: string, change: object = {}) => ({
    by,
    pane: 0 as const,
    l0_x: 1,
    l0_y: 2,
    laser: false,
    ...change,
  });

  it("shows those of others in this pane, with their names and colours", () => {
    const cursors = [cursor("m1"), cursor("m2", { laser: true }), cursor("m9")];
    put("m2", { cursors: [...cursors, { ...cursor("m1"), by: "m3", pane: 1 as const }] });
    open();
    const { name, color } = member("m1");
    expect(pointers.set).toHaveBeenLastCalledWith([
      { id: "m1", name, color, l0_x: 1, l0_y: 2, laser: false, label: "shown" },
    ]);
  });

  it("SE52: show the names that the host has chosen, or this window's user", () => {
    const cursors = [cursor("m1"), cursor("m3")];
    const members = [member("m1"), member("m2"), member("m3")];
    const labels = () => pointers.set.mock.lastCall![0].map(({ label }) => label);
    put("m2", { cursors, members });
    open();
    expect(labels()).toEqual(["shown", "hidden"]);
    for (const [names, expected] of [
      ["hover", ["near", "near"]],
      ["all", ["shown", "shown"]],
      ["none", ["hidden", "hidden"]],
    ] as const) {
      put("m2", { cursors, members, settings: { ...everyone, names } });
      expect(labels()).toEqual(expected);
    }
    ownNames.setState({ choice: "all" });
    expect(labels()).toEqual(["shown", "shown"]);
    ownNames.setState({ choice: null });
  });

  it("show the own laser, without a name, and no own cursor", () => {
    put("m1");
    open();
    own.report!({ l0_x: 4, l0_y: 5 });
    expect(pointers.set).toHaveBeenLastCalledWith([]);
    laser.setState({ on: true });
    expect(pointers.set.mock.lastCall![0]).toMatchObject([
      { id: "m1", l0_x: 4, l0_y: 5, laser: true, label: "hidden" },
    ]);
    own.report!(null);
    expect(pointers.set).toHaveBeenLastCalledWith([]);
  });

  it("sends the own one, as a laser where it is one, and that it is gone", () => {
    put("m2");
    open();
    own.report!({ l0_x: 4, l0_y: 5 });
    expect(sent.cursor).toHaveBeenLastCalledWith({ pane: 0, stage: 1, l0_x: 4, l0_y: 5, laser: false });
    laser.setState({ on: true });
    expect(own.pointAtCentre).toHaveBeenLastCalledWith(true);
    expect(sent.cursor).toHaveBeenLastCalledWith({ pane: 0, stage: 1, l0_x: 4, l0_y: 5, laser: true });
    own.report!(null);
    expect(sent.cursor).toHaveBeenLastCalledWith({ pane: 0, stage: 1, l0_x: null, l0_y: null, laser: true });
  });

  it("SE35: asks for annotations of this slide once when others have changed them", () => {
    put("m2", { annotations: [{ slide: "he", sequence: 3 }] });
    open();
    put("m2", {
      annotations: [
        { slide: "he", sequence: 3 },
        { slide: "er", sequence: 9 },
      ],
    });
    expect(page.refresh).toHaveBeenCalledOnce();
    put("m2", { annotations: [{ slide: "he", sequence: 4 }] });
    expect(page.refresh).toHaveBeenCalledTimes(2);
  });
});

it("releases the picture when the session is over for this window, and everything when it is closed", () => {
  put("m2", { views: [entry()], cursors: [{ by: "m1", pane: 0, l0_x: 1, l0_y: 1, laser: false }] });
  open();
  shared.release.mockClear();
  client.setState({ phase: "over", ending: "ended" });
  expect(shared.release).toHaveBeenCalledOnce();
  expect(pointers.set).toHaveBeenLastCalledWith([]);
  binding.close();
  expect([shared.close, pointers.close, own.close].map((close) => close.mock.calls.length)).toEqual([1, 1, 1]);
  put("m2", { views: [entry({ view: view({ l0_x: 77 }) })] });
  expect(shared.show).toHaveBeenCalledOnce();
});
