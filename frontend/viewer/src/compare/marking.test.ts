import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope } from "../core/testing";
import { stub } from "@wavescope/core/stub";
import type { Side } from "./comparisonState";
import { MAX_PAIRS } from "./landmarks";
import { Marking, type Registrable } from "./marking";
import { type Link, type Registration, startLink } from "./registration";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const LEFT = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };
const clicks = vi.hoisted(() => ({ started: [] as unknown[], stopped: 0 }));
vi.mock("../navigation/clicks", () => ({
  handleClicks: (microscope: unknown) => {
    clicks.started.push(microscope);
    return () => (clicks.stopped += 1);
  },
}));

class FakePair {
  readonly microscopes = {
    left: new FakeMicroscope(LEFT).microscope,
    right: new FakeMicroscope({ ...LEFT, id: "er" }).microscope,
  };
  link: Link | null = startLink(this.microscopes.left.manifest, this.microscopes.right.manifest);
  readonly state = { getState: () => ({ link: this.link }) };
  readonly register = vi.fn((registration: Registration) => void (this.link = { registration, zoom: 1 }));
  readonly alignment = { correct: () => false, undo: () => undefined };
  readonly restore = vi.fn((link: Link | null) => void (this.link = link));
}

let pair: FakePair;
let marking: Marking;
beforeEach(() => {
  clicks.started = [];
  clicks.stopped = 0;
  pair = new FakePair();
  marking = new Marking(stub<Registrable>(pair));
});

const at = (l0_x: number, l0_y = 0) => ({ l0_x, l0_y });
const state = () => marking.state.getState();
function markBoth(left: number, right: number, first: Side = "left"): void {
  const other = first === "left" ? "right" : "left";
  marking.mark(first, at(first === "left" ? left : right));
  marking.mark(other, at(first === "left" ? right : left));
}

describe("marking a landmark", () => {
  it.each<Side>(["left", "right"])("takes a point of each slide, the %s one first", (first) => {
    markBoth(100, 300, first);
    expect(state()).toMatchObject({ pairs: [{ left: at(100), right: at(300) }], open: null, changes: 2 });
  });

  it("moves the open point where the same slide is marked again", () => {
    marking.mark("left", at(100));
    marking.mark("left", at(110));
    expect(state()).toMatchObject({ pairs: [], open: { side: "left", at: at(110) } });
  });

  it("registers the slides by each complete pair, not by an open point", () => {
    marking.mark("left", at(100));
    expect(pair.register).not.toHaveBeenCalled();
    marking.mark("right", at(300));
    expect(pair.register).toHaveBeenCalledOnce();
    expect(pair.register.mock.calls[0]![0]).toMatchObject({ l0_dx: 200, l0_dy: 0 });
  });

  it("lets the slides move apart for the first two pairs, and keeps them together after that", () => {
    const restored: number[] = [];
    for (const x of [100, 200, 300]) {
      pair.restore.mockClear();
      marking.mark("left", at(x));
      restored.push(pair.restore.mock.calls.length);
      marking.mark("right", at(x + 50));
    }
    expect(restored).toEqual([1, 1, 0]);
  });

  it("marks the middle of the field by keys", () => {
    marking.markMiddle("right");
    expect(state().open).toEqual({ side: "right", at: at(2000, 2000) });
  });

  it("stops at the most pairs that an address holds, and still completes the open one", () => {
    marking.load(Array.from({ length: MAX_PAIRS - 1 }, (_, i) => ({ left: at(i), right: at(i, i % 7) })));
    markBoth(5000, 5000);
    marking.mark("left", at(1));
    expect([state().pairs.length, state().open]).toEqual([MAX_PAIRS, null]);
  });
});

describe("changing landmarks", () => {
  beforeEach(() => {
    markBoth(100, 300);
    markBoth(500, 700);
  });

  it("moves one half of a pair", () => {
    marking.move(1, "right", at(720));
    expect(state().pairs).toEqual([
      { left: at(100), right: at(300) },
      { left: at(500), right: at(720) },
    ]);
  });

  it("removes a pair, or the open point", () => {
    marking.remove(0);
    expect(state().pairs).toEqual([{ left: at(500), right: at(700) }]);
    marking.mark("left", at(1));
    marking.removeOpen();
    expect(state().open).toBeNull();
  });

  it("can be taken back, the last change first, up to the beginning", () => {
    const start = new FakePair().link;
    marking.remove(0);
    marking.undo();
    expect(state().pairs).toHaveLength(2);
    marking.undo();
    expect(state()).toMatchObject({ pairs: [{ left: at(100), right: at(300) }], open: { side: "left", at: at(500) } });
    for (let i = 0; i < 9; i += 1) marking.undo();
    expect(state()).toMatchObject({ pairs: [], open: null, fit: null, changes: 0 });
    expect(pair.link).toEqual(start);
  });

  it("starts again with the slides linked at their centres, which can be undone", () => {
    const before = pair.link;
    marking.reset();
    expect(state()).toMatchObject({ pairs: [], open: null });
    expect(pair.link).toEqual(new FakePair().link);
    marking.undo();
    expect([state().pairs.length, pair.link]).toEqual([2, before]);
  });

  it("lays the slides by the landmarks again after they were moved apart", () => {
    const registered = pair.link!.registration;
    pair.link = null;
    marking.register();
    expect(pair.link).toMatchObject({ registration: registered });
  });
});

describe("landmarks of an address", () => {
  it("are there with nothing to take back, and the slides stay as they lie", () => {
    marking.load([{ left: at(100), right: at(300) }]);
    expect(state()).toMatchObject({ changes: 0, open: null });
    expect(state().fit).not.toBeNull();
    expect([pair.register.mock.calls, pair.restore.mock.calls]).toEqual([[], []]);
  });
});

it("listens to clicks on both slides only while it is on", () => {
  const picking = () => Object.values(pair.microscopes).map(({ viewer }) => viewer.element.dataset.picking);
  marking.setOn(true);
  expect([clicks.started, picking(), state().on]).toEqual([Object.values(pair.microscopes), ["true", "true"], true]);
  marking.setOn(false);
  expect([clicks.started.length, clicks.stopped, picking(), state().on]).toEqual([2, 2, ["false", "false"], false]);
});
