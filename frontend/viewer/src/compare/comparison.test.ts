import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope, FakePoint } from "../core/testing";
import type { ViewLink } from "../core/viewLink";
import { parseComparison } from "./address";
import { Comparison } from "./comparison";
import { readNow } from "./following";
import { followed, mapPoint, reversed } from "./registration";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
vi.mock("../light/light", async () => {
  const { plain } = await import("../light/adjustments");
  return { readLight: () => plain, setLight: () => undefined, lightOf: () => null };
});

const LEFT = { id: "he", width: 4000, height: 3000, planes: 7, mpp: { x: 0.25, y: 0.25 }, planeSpacingUm: 1 };
const RIGHT = { id: "er", width: 2000, height: 1600, planes: 3, mpp: { x: 0.5, y: 0.5 }, planeSpacingUm: 2 };

let left: FakeMicroscope;
let right: FakeMicroscope;
beforeEach(() => {
  left = new FakeMicroscope(LEFT);
  right = new FakeMicroscope(RIGHT);
});

const open = (hash = "", search = ""): Comparison =>
  new Comparison([left.microscope, right.microscope], parseComparison(search, hash, [0.5]));

/** The user moves a microscope, and its next frame is drawn. */
function drag(microscope: FakeMicroscope, x: number, y: number): void {
  microscope.viewer.viewport.panTo(new FakePoint(x, y));
  microscope.viewer.frame();
}

function expectViewLink(found: ViewLink, expected: ViewLink): void {
  for (const key of ["l0_x", "l0_y", "scale", "rotation"] as const) expect(found[key]).toBeCloseTo(expected[key], 6);
  expect(found.flip).toBe(expected.flip);
}

const linkOf = (comparison: Comparison) => comparison.state.getState().links?.[1];

const expectTogether = (comparison: Comparison): void => {
  expectViewLink(readNow(right.microscope), followed(linkOf(comparison)!, readNow(left.microscope)));
};

describe("opening", () => {
  it("aligns the centres at one magnification if the address does not say otherwise", () => {
    const comparison = open();
    const link = linkOf(comparison);
    expect(link?.zoom).toBe(1);
    expect(mapPoint(link!.registration, { l0_x: 2000, l0_y: 1500 })).toEqual({ l0_x: 1000, l0_y: 800 });
    expectTogether(comparison);
    expect(readNow(right.microscope).scale).toBeCloseTo(2 * readNow(left.microscope).scale);
  });

  it("keeps two places of the address as they are, linked", () => {
    const comparison = open(
      "#left.x=500&left.y=600&left.scale=1&right.x=300&right.y=200&right.scale=0.5&right.rotation=30",
    );
    expectViewLink(readNow(left.microscope), {
      ...readNow(left.microscope),
      l0_x: 500,
      l0_y: 600,
      scale: 1,
      rotation: 0,
    });
    expectViewLink(readNow(right.microscope), {
      ...readNow(right.microscope),
      l0_x: 300,
      l0_y: 200,
      scale: 0.5,
      rotation: 30,
    });
    expectTogether(comparison);
  });

  it("links nothing where the address says so", () => {
    const comparison = open("#link=off");
    expect(comparison.state.getState().links).toBeNull();
    drag(left, 0.1, 0.1);
    expect(readNow(right.microscope)).toMatchObject({ l0_x: 1000, l0_y: 1000 });
  });
});

describe("following", () => {
  it.each([0, 1] as const)("sets the other slide to the same tissue when number %d is moved", (side) => {
    const comparison = open(
      "#left.x=500&left.y=600&left.scale=1&right.x=300&right.y=200&right.scale=0.5&right.rotation=30",
    );
    const leader = side === 0 ? left : right;
    drag(leader, 0.3, 0.2);
    expect(comparison.state.getState().active).toBe(side);
    expectTogether(comparison);
    expect(readNow(leader.microscope).l0_x).toBeCloseTo(0.3 * leader.manifest.width);
    leader.viewer.viewport.zoomTo(5);
    leader.viewer.viewport.rotateTo(77);
    leader.viewer.viewport.setFlip(true);
    leader.viewer.frame();
    expectTogether(comparison);
  });

  it("does not run in circles: the follower's own events move nothing", () => {
    const comparison = open();
    drag(left, 0.3, 0.2);
    const before = readNow(left.microscope);
    right.viewer.frame();
    expect(comparison.state.getState().active).toBe(0);
    expect(readNow(left.microscope)).toEqual(before);
  });

  it("draws the left slide again in the same frame when it follows: it had its turn", () => {
    open();
    left.viewer.drawn.length = right.viewer.drawn.length = 0;
    drag(right, 0.4, 0.4);
    expect(left.viewer.drawn).toEqual(["update", "draw"]);
    drag(left, 0.4, 0.4);
    expect(right.viewer.drawn).toEqual([]);
  });

  it("does not take another size of the element for a movement of the user", () => {
    const comparison = open();
    drag(left, 0.3, 0.2);
    right.viewer.resize(500, 600);
    expect(comparison.state.getState().active).toBe(0);
    drag(right, 0.6, 0.6);
    expect(comparison.state.getState().active).toBe(1);
  });

  it("focuses both by their distance in depth", () => {
    const comparison = open();
    left.setPlane(6);
    const link = linkOf(comparison);
    expect(right.plane).toBe(Math.min(2, Math.round(followed(link!, readNow(left.microscope)).plane)));
    right.setPlane(0);
    expect(left.plane).toBe(Math.max(0, Math.round(followed(reversed(link!), readNow(right.microscope)).plane)));
  });

  it("moves nothing once it is unlinked or closed", () => {
    const comparison = open();
    comparison.unlink();
    const before = readNow(right.microscope);
    drag(left, 0.1, 0.7);
    expect(readNow(right.microscope)).toEqual(before);
    comparison.link();
    comparison.close();
    drag(left, 0.2, 0.2);
    left.setPlane(5);
    expect(readNow(right.microscope)).toEqual(before);
    expect([left.viewer.handlerCount, right.viewer.handlerCount]).toEqual([0, 0]);
  });
});

describe("linking", () => {
  it("keeps the offset that there is", () => {
    const comparison = open("#link=off");
    drag(left, 0.2, 0.2);
    drag(right, 0.7, 0.1);
    const viewLinks = [readNow(left.microscope), readNow(right.microscope)];
    comparison.link();
    expectViewLink(readNow(left.microscope), viewLinks[0]!);
    expectViewLink(readNow(right.microscope), viewLinks[1]!);
    drag(left, 0.3, 0.3);
    expectTogether(comparison);
  });

  it("puts one over the other at one magnification when swiping", () => {
    const comparison = open("#link=off");
    right.viewer.viewport.zoomTo(3);
    comparison.setMode("swipe");
    expect(comparison.state.getState()).toMatchObject({ mode: "swipe", links: [{}, { zoom: 1 }] });
    expectTogether(comparison);
  });

  it("takes an arrangement over, and goes back to one", () => {
    const comparison = open();
    const { links } = comparison.state.getState();
    comparison.arrange({ mode: "swipe", swiped: [0, 1], swapped: true, links: null });
    expect(comparison.state.getState()).toMatchObject({ mode: "swipe", swapped: true, links: null });
    comparison.restore(links);
    expect(comparison.state.getState().links).toBe(links);
    comparison.restore(null);
    expect(comparison.state.getState().links).toBeNull();
    comparison.alignCentres();
    expectTogether(comparison);
  });

  it("lays the right slide by a registration, whichever was moved last", () => {
    const comparison = open();
    drag(right, 0.9, 0.9);
    const viewLink = readNow(left.microscope);
    const { registration } = linkOf(comparison)!;
    comparison.lay([null, { registration: { ...registration, rotation: 90 }, zoom: 1 }]);
    expect(comparison.state.getState()).toMatchObject({
      active: 0,
      links: [{}, { zoom: 1, registration: { rotation: 90 } }],
    });
    expectViewLink(readNow(left.microscope), viewLink);
    expectTogether(comparison);
  });
});

it.each([
  [-1, 0],
  [0.25, 0.25],
  [7, 1],
])("holds divider and blend within 0 and 1: %f gives %f", (asked, expected) => {
  const comparison = open();
  comparison.setDivider(asked);
  comparison.setBlend(asked);
  comparison.swap();
  expect(comparison.state.getState()).toMatchObject({ divider: expected, blend: expected, swapped: true });
});

describe("four slides (PG90)", () => {
  let slides: FakeMicroscope[];
  const openFour = (hash = "", search = ""): Comparison => {
    slides = [left, right, new FakeMicroscope({ ...LEFT, id: "pr" }), new FakeMicroscope({ ...RIGHT, id: "ki" })];
    return new Comparison(
      slides.map(({ microscope }) => microscope),
      parseComparison(search, hash, [0.5, 1, 0.5]),
    );
  };
  const views = () => slides.map(({ microscope }) => readNow(microscope));

  it.each([0, 1, 2, 3])("follow number %d, each by its link from the first one", (leader) => {
    const comparison = openFour("#d.x=300&d.y=200&d.scale=0.5&d.rotation=30&a.x=500&a.y=600&a.scale=1");
    drag(slides[leader]!, 0.3, 0.2);
    const { links, active } = comparison.state.getState();
    expect(active).toBe(leader);
    views().forEach((view, pane) => expectViewLink(view, followed(links![pane]!, views()[0]!)));
    expect(views()[3]!.rotation).toBeCloseTo(30);
  });

  it("draws those before the leader again: they had their turn", () => {
    openFour();
    for (const { viewer } of slides) viewer.drawn.length = 0;
    drag(slides[2]!, 0.4, 0.4);
    expect(slides.map(({ viewer }) => viewer.drawn.length)).toEqual([2, 2, 0, 0]);
  });

  it("are swiped two at a time; the others rest, and follow again side by side", () => {
    const comparison = openFour();
    comparison.setSwiped([1, 3]);
    comparison.setMode("swipe");
    expect(comparison.state.getState().active).toBe(1);
    const before = views();
    drag(slides[3]!, 0.3, 0.2);
    expect([views()[0], views()[2]]).toEqual([before[0], before[2]]);
    expect(views()[1]!.l0_x).not.toBeCloseTo(before[1]!.l0_x);
    comparison.setMode("side");
    const { links } = comparison.state.getState();
    views().forEach((view, pane) => expectViewLink(view, followed(links![pane]!, views()[0]!)));
  });

  it("focus by their distance in depth, each as far as it has planes", () => {
    openFour();
    slides[0]!.setPlane(6);
    expect(slides.map(({ plane }) => plane)).toEqual([6, 2, 6, 2]);
    slides[3]!.setPlane(0);
    expect(slides[2]!.plane).toBe(slides[0]!.plane);
  });

  it("say all of it in an address", () => {
    const comparison = openFour();
    comparison.setSwiped([0, 2]);
    const { views: found, links, swiped } = comparison.address();
    expect([found.length, links.length, swiped]).toEqual([4, 3, [0, 2]]);
    comparison.unlink();
    expect(comparison.address().links).toBe("off");
  });
});
