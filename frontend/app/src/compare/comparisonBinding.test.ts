import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionState, SharedComparison } from "@wavescope/core/session/state";
import { entry, member } from "@wavescope/core/session/testing";
import { createStore } from "zustand/vanilla";
import { emptyAddress } from "@wavescope/viewer/compare/address";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import type { Landmark } from "@wavescope/viewer/compare/landmarks";
import { linksFrom } from "@wavescope/viewer/compare/links";
import { createComparisonStore } from "@wavescope/viewer/compare/comparisonState";
import { openPage } from "../fakePage";
import { FakeLink } from "../session/fakeLink";
import { live } from "../session/state/live";
import type { PaneRole } from "../session/follow/viewerBinding";
import { stub } from "@wavescope/core/stub";
import { ComparisonBinding } from "./comparisonBinding";

const panes = vi.hoisted(() => ({ made: [] as { pane: PaneRole; report: () => void; close: () => void }[] }));
vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
vi.mock("../session/follow/viewerBinding", () => ({
  ViewerBinding: function (_microscope: unknown, _here: unknown, pane: PaneRole) {
    const made = { pane, report: vi.fn(), close: vi.fn() };
    panes.made.push(made);
    return made;
  },
}));
vi.mock("@wavescope/viewer/compare/following", () => ({ readNow: () => ({ l0_x: 0, l0_y: 0 }) }));

const shared: SharedComparison = {
  slide: "er",
  mode: "side",
  swapped: false,
  link: null,
  more: [],
  swiped: [0, 1],
  marks: [],
};
const stage = (pair: SharedComparison | null, number = 1): SessionState["stage"] => ({
  number,
  slide: "he",
  pair,
  tour: null,
});

class FakeComparison {
  readonly state = createComparisonStore(emptyAddress(2));
  readonly microscopes = ["he", "er"].map((id) => stub<Microscope>({ manifest: { id } }));
  readonly landmarks = createStore(() => ({ landmarks: [] as readonly Landmark[] }));
  readonly marking = {
    state: this.landmarks,
    load: vi.fn((landmarks: readonly Landmark[]) => this.landmarks.setState({ landmarks })),
  };
  readonly lay = vi.fn();
  readonly address = () => {
    const { links, ...state } = this.state.getState();
    return { ...emptyAddress(2), ...state, links: links?.slice(1) ?? "off", ...this.landmarks.getState() };
  };
  readonly arrange = vi.fn((change: object) => this.state.setState(change));
  readonly alignment = {
    state: createStore(() => ({ results: [] })),
    forget: vi.fn(),
    start: vi.fn(() => Promise.resolve()),
  };
  readonly setDivider = vi.fn((divider: number) => this.state.setState({ divider }));
  readonly setBlend = vi.fn((blend: number) => this.state.setState({ blend }));
}

let link: FakeLink;
let pair: FakeComparison;
let binding: ComparisonBinding;
beforeEach(() => {
  vi.useFakeTimers();
  openPage("/compare?slide=he&slide=er");
  panes.made.length = 0;
  link = new FakeLink();
  live.setState({ live: link.live });
  pair = new FakeComparison();
});
afterEach(() => {
  binding.close();
  live.setState({ live: null });
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function open(you: string, change: Partial<SessionState> = {}): void {
  link.put(you, { stage: stage(shared), ...change });
  binding = new ComparisonBinding(stub<Comparison>(pair), link.live);
}

const registration = {
  scale: 1,
  rotation: 0,
  mirrored: false,
  stretch: 0,
  shear: 0,
  planeStep: 1,
  planeShift: 0,
  l0_dx: 5,
  l0_dy: 6,
};

describe("following a comparison", () => {
  it("arranges the slides as the stage says, once for each arrangement", () => {
    const swipe = { ...shared, mode: "swipe" as const, swapped: true };
    open("m2", { stage: stage(swipe) });
    expect(pair.arrange).toHaveBeenCalledExactlyOnceWith({ mode: "swipe", swiped: [0, 1], swapped: true, links: null });
    link.put("m2", { stage: stage(swipe), title: "New" });
    expect(pair.arrange).toHaveBeenCalledOnce();
    expect(link.operations, "being arranged is no change of its own").toEqual([]);
  });

  it("takes the link of the stage as a registration", () => {
    const { scale, rotation, mirrored, l0_dx, l0_dy } = registration;
    const own = { scale, rotation, mirrored, l0_dx, l0_dy, plane_step: 1, plane_shift: 0, zoom: 2, automatic: false };
    open("m2", { stage: stage({ ...shared, link: own }) });
    expect(pair.state.getState().links?.[1]).toEqual({ registration, zoom: 2 });
    expect(pair.alignment.start).not.toHaveBeenCalled();
  });

  it("loads the map of an automatic alignment, whose coming is no change of its own (RE11)", () => {
    const { scale, rotation, mirrored, l0_dx, l0_dy } = registration;
    const own = { scale, rotation, mirrored, l0_dx, l0_dy, plane_step: 1, plane_shift: 0, zoom: 1, automatic: true };
    open("m2", { stage: stage({ ...shared, link: own }) });
    expect(pair.alignment.start).toHaveBeenCalledExactlyOnceWith([], false);
    expect(pair.alignment.forget).not.toHaveBeenCalled();
    const places = { at: () => registration, reversed: () => places };
    pair.state.setState({ links: linksFrom(2, () => ({ registration, zoom: 1, places })) });
    expect(link.operations).toEqual([]);
  });

  it("takes the landmarks of all panes over, which is no change of its own (RE11)", () => {
    const marks = [[{ l0_x: 1, l0_y: 2 }, null]];
    open("m2", { stage: stage({ ...shared, marks }) });
    expect(pair.landmarks.getState().landmarks).toEqual(marks);
    expect(link.operations).toEqual([]);
    pair.landmarks.setState({ landmarks: [] });
    expect(link.operations).toEqual([{ type: "follow", following: false }]);
  });

  it("moves divider and blend only where they differ", () => {
    open("m2", { views: [entry({ swipe: { divider: 0.5, blend: 0.3 } })] });
    expect(pair.setDivider).not.toHaveBeenCalled();
    expect(pair.setBlend).toHaveBeenCalledExactlyOnceWith(0.3);
  });

  it("ends when the member arranges the slides by itself", () => {
    open("m2");
    pair.state.setState({ divider: 0.2 });
    expect(link.operations).toEqual([{ type: "follow", following: false }]);
  });

  it("arranges anew what the member has changed meanwhile when it follows again", () => {
    open("m2");
    link.put("m2", {
      stage: link.state.getState().session!.stage,
      members: [member("m1"), member("m2", { following: false })],
    });
    pair.state.setState({ swapped: true });
    expect(link.operations, "it is free").toEqual([]);
    link.put("m2", { stage: stage(shared) });
    expect(pair.state.getState().swapped).toBe(false);
  });
});

describe("presenting a comparison", () => {
  it("sends the arrangement when it begins, unless the stage has it", () => {
    open("m1");
    vi.advanceTimersByTime(1000);
    expect(link.operations).toEqual([]);
    binding.close();
    open("m1", { stage: stage(null) });
    link.put("m1", { stage: stage({ ...shared, swapped: true }, 2) });
    vi.advanceTimersByTime(150);
    expect(link.operations).toEqual([{ type: "stage", stage: { slide: "he", pair: shared, tour: null }, views: [] }]);
  });

  it("sends changes that come together as one", () => {
    open("m1");
    vi.advanceTimersByTime(200);
    pair.state.setState({ mode: "swipe" });
    vi.advanceTimersByTime(100);
    pair.state.setState({ swapped: true });
    pair.state.setState({ links: linksFrom(2, () => ({ registration, zoom: 1 })) });
    expect(link.operations).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(link.operations).toHaveLength(1);
    expect(link.operations[0]).toMatchObject({
      stage: { pair: { mode: "swipe", swapped: true, link: { l0_dx: 5, l0_dy: 6, zoom: 1, plane_step: 1 } } },
    });
  });

  it("sends landmarks as they are marked (RE11)", () => {
    open("m1");
    vi.advanceTimersByTime(200);
    const landmarks = [[{ l0_x: 1, l0_y: 2 }, null]];
    pair.landmarks.setState({ landmarks });
    vi.advanceTimersByTime(150);
    expect(link.operations).toMatchObject([{ stage: { pair: { marks: landmarks } } }]);
  });

  it("sends divider and blend with the view of the active slide", () => {
    open("m1");
    vi.advanceTimersByTime(200);
    pair.state.setState({ active: 1 });
    pair.state.setState({ divider: 0.7 });
    expect(panes.made.map(({ report }) => vi.mocked(report).mock.calls.length)).toEqual([0, 1]);
    vi.advanceTimersByTime(1000);
    expect(link.operations).toEqual([]);
  });

  it("sends nothing while paused, or while the page shows other slides", () => {
    open("m1", { state: "paused" });
    pair.state.setState({ swapped: true });
    vi.advanceTimersByTime(1000);
    link.put("m1", { stage: { ...stage(shared, 2), slide: "pr" } });
    pair.state.setState({ swapped: false });
    vi.advanceTimersByTime(1000);
    expect(link.operations).toEqual([]);
  });
});

describe("the two panes", () => {
  const [left, right] = [() => panes.made[0]!.pane, () => panes.made[1]!.pane];

  it("both lead while unlinked, the active one alone while linked", () => {
    open("m1");
    expect([left().leads(), right().leads()]).toEqual([true, true]);
    pair.state.setState({ links: linksFrom(2, () => ({ registration, zoom: 1 })), active: 1 });
    expect([left().leads(), right().leads()]).toEqual([false, true]);
  });

  it("take over only the newest view while linked, each its own while unlinked", () => {
    open("m2");
    const [older, newest] = [entry(), entry({ pane: 1 })];
    const state = { ...link.state.getState().session!, views: [older, newest] };
    expect([left().accepts(state, older), right().accepts(state, newest)]).toEqual([true, true]);
    pair.state.setState({ links: linksFrom(2, () => ({ registration, zoom: 1 })) });
    expect([left().accepts(state, older), right().accepts(state, newest)]).toEqual([false, true]);
  });

  it("send divider and blend along", () => {
    open("m1");
    pair.state.setState({ divider: 0.3, blend: 0.6 });
    expect(left().swipe()).toEqual({ divider: 0.3, blend: 0.6 });
  });
});

it("closing stops everything, also what is still to be sent", () => {
  open("m1");
  pair.state.setState({ swapped: true });
  binding.close();
  vi.advanceTimersByTime(1000);
  pair.state.setState({ swapped: false });
  link.put("m1", { stage: stage(null, 9) });
  vi.advanceTimersByTime(1000);
  expect(link.operations).toEqual([]);
  expect(panes.made.map(({ close }) => vi.mocked(close).mock.calls.length)).toEqual([1, 1]);
});
