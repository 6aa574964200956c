import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope } from "../core/testing";
import { stub } from "@wavescope/core/stub";
import { MAX_LANDMARKS } from "./landmarks";
import { type Links, startLinks } from "./links";
import { Marking, type Registrable, openOf } from "./marking";
import type { Link } from "./registration";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const LEFT = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };
const clicks = vi.hoisted(() => ({ started: [] as unknown[], stopped: 0 }));
vi.mock("../navigation/clicks", () => ({
  handleClicks: (microscope: unknown) => {
    clicks.started.push(microscope);
    return () => (clicks.stopped += 1);
  },
}));

class FakeSlides {
  readonly microscopes: ReturnType<typeof microscopesOf>;
  links: Links | null;
  readonly state = { getState: () => ({ links: this.links }) };
  readonly lay = vi.fn((links: readonly (Link | null)[]) => {
    this.links = this.start().map((link, pane) => links[pane] ?? link);
  });
  readonly alignment = { links: () => [], undo: () => undefined };
  readonly restore = vi.fn((links: Links | null) => void (this.links = links));

  constructor(panes = 2) {
    this.microscopes = microscopesOf(panes);
    this.links = this.start();
  }

  start(): Links {
    return startLinks(this.microscopes.map(({ manifest }) => manifest));
  }
}

const microscopesOf = (panes: number) =>
  Array.from({ length: panes }, (_, pane) => new FakeMicroscope({ ...LEFT, id: `slide ${pane}` }).microscope);

let slides: FakeSlides;
let marking: Marking;
beforeEach(() => begin(2));

function begin(panes: number): void {
  clicks.started = [];
  clicks.stopped = 0;
  slides = new FakeSlides(panes);
  marking = new Marking(stub<Registrable>(slides));
}

const at = (l0_x: number, l0_y = 0) => ({ l0_x, l0_y });
const state = () => marking.state.getState();
const link = (pane = 1) => slides.links?.[pane];
function markBoth(left: number, right: number, first = 0): void {
  const points = [at(left), at(right)];
  marking.mark(first, points[first]!);
  marking.mark(1 - first, points[1 - first]!);
}

describe("marking a landmark", () => {
  it.each([0, 1])("takes a point of each slide, number %d first", (first) => {
    markBoth(100, 300, first);
    expect(state()).toMatchObject({ landmarks: [[at(100), at(300)]], changes: 2 });
  });

  it("moves the open point where the same slide is marked again", () => {
    marking.mark(0, at(100));
    marking.mark(0, at(110));
    expect(state()).toMatchObject({ landmarks: [[at(110), null]] });
  });

  it("registers the slides by each complete pair, not by an open point", () => {
    marking.mark(0, at(100));
    expect(slides.lay).not.toHaveBeenCalled();
    marking.mark(1, at(300));
    expect(slides.lay).toHaveBeenCalledOnce();
    expect(slides.lay.mock.calls[0]![0]).toMatchObject([null, { registration: { l0_dx: 200, l0_dy: 0 }, zoom: 1 }]);
  });

  it("lets the slides move apart for the first two pairs, and keeps them together after that", () => {
    const restored: number[] = [];
    for (const x of [100, 200, 300]) {
      slides.restore.mockClear();
      marking.mark(0, at(x));
      restored.push(slides.restore.mock.calls.length);
      marking.mark(1, at(x + 50));
    }
    expect(restored).toEqual([1, 1, 0]);
  });

  it("marks the middle of the field by keys", () => {
    marking.markMiddle(1);
    expect(state().landmarks).toEqual([[null, at(2000, 2000)]]);
  });

  it("stops at the most landmarks that an address holds, and still completes the open one", () => {
    marking.load(Array.from({ length: MAX_LANDMARKS - 1 }, (_, i) => [at(i), at(i, i % 7)]));
    markBoth(5000, 5000);
    marking.mark(0, at(1));
    expect([state().landmarks.length, openOf(state().landmarks)]).toEqual([MAX_LANDMARKS, null]);
  });
});

describe("changing landmarks", () => {
  beforeEach(() => {
    markBoth(100, 300);
    markBoth(500, 700);
  });

  it("moves one of them on one slide", () => {
    marking.move(1, 1, at(720));
    expect(state().landmarks).toEqual([
      [at(100), at(300)],
      [at(500), at(720)],
    ]);
  });

  it("removes one, also one that is open", () => {
    marking.remove(0);
    expect(state().landmarks).toEqual([[at(500), at(700)]]);
    marking.mark(0, at(1));
    marking.remove(1);
    expect(openOf(state().landmarks)).toBeNull();
  });

  it("can be taken back, the last change first, up to the beginning", () => {
    const start = new FakeSlides().links;
    marking.remove(0);
    marking.undo();
    expect(state().landmarks).toHaveLength(2);
    marking.undo();
    expect(state()).toMatchObject({
      landmarks: [
        [at(100), at(300)],
        [at(500), null],
      ],
    });
    for (let i = 0; i < 9; i += 1) marking.undo();
    expect(state()).toMatchObject({ landmarks: [], fits: [null, null], changes: 0 });
    expect(slides.links).toEqual(start);
  });

  it("starts again with the slides linked at their centres, which can be undone", () => {
    const before = slides.links;
    marking.reset();
    expect(state()).toMatchObject({ landmarks: [] });
    expect(slides.links).toEqual(new FakeSlides().links);
    marking.undo();
    expect([state().landmarks.length, slides.links]).toEqual([2, before]);
  });

  it("lays the slides by the landmarks again after they were moved apart", () => {
    const { registration } = link()!;
    slides.links = null;
    marking.register();
    expect(link()).toMatchObject({ registration });
  });
});

describe("landmarks of an address", () => {
  it("are there with nothing to take back, and the slides stay as they lie", () => {
    marking.load([[at(100), at(300)]]);
    expect(state()).toMatchObject({ changes: 0, fits: [null, { kind: "shift" }] });
    expect([slides.lay.mock.calls, slides.restore.mock.calls]).toEqual([[], []]);
  });
});

describe("landmarks on several slides (RE12)", () => {
  beforeEach(() => begin(4));

  it("are marked one slide after the other, each mark laying its slide", () => {
    marking.mark(2, at(10));
    marking.mark(0, at(5));
    expect(link(2)).toBeUndefined(); // free until all have it, while there are few
    expect(slides.lay).toHaveBeenCalledOnce();
    marking.mark(1, at(7));
    marking.mark(3, at(8));
    expect(state().landmarks).toEqual([[at(5), at(7), at(10), at(8)]]);
    expect([1, 2, 3].map((pane) => link(pane)!.registration.l0_dx)).toEqual([2, 5, 3]);
  });

  it("may leave slides out: marking one of them again begins the next landmark", () => {
    marking.mark(0, at(5));
    marking.mark(1, at(7));
    marking.mark(0, at(50));
    marking.mark(1, at(70));
    expect(state().landmarks).toEqual([
      [at(5), at(7), null, null],
      [at(50), at(70), null, null],
    ]);
    expect(state().fits.map((fit) => fit?.kind ?? null)).toEqual([null, "similarity", null, null]);
  });
});

it("listens to clicks on all slides only while it is on", () => {
  const picking = () => slides.microscopes.map(({ viewer }) => viewer.element.dataset.picking);
  marking.setOn(true);
  expect([clicks.started, picking(), state().on]).toEqual([slides.microscopes, ["true", "true"], true]);
  marking.setOn(false);
  expect([clicks.started.length, clicks.stopped, picking(), state().on]).toEqual([2, 2, ["false", "false"], false]);
});
