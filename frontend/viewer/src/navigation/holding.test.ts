import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope } from "../core/testing";
import { holdStill } from "./holding";

vi.mock("openseadragon", async () => {
  const { FakePoint, fakeOpenSeadragon } = await import("../core/testing");
  class Point extends FakePoint {
    minus = (other: Point): Point => new Point(this.x - other.x, this.y - other.y);
    divide = (factor: number): Point => new Point(this.x / factor, this.y / factor);
  }
  return { default: { ...fakeOpenSeadragon.default, Point } };
});

let microscope: FakeMicroscope;
let stop: () => void;
beforeEach(async () => {
  const { default: OpenSeadragon } = await import("openseadragon");
  vi.stubGlobal("innerWidth", 1366);
  vi.stubGlobal("innerHeight", 768);
  microscope = new FakeMicroscope({ id: "a", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null });
  const { viewport } = microscope.viewer;
  viewport.container = new OpenSeadragon.Point(800, 600);
  viewport.zoomTo(2);
  const at = { left: 0, top: 0 };
  const box = () => ({ ...at, width: viewport.getContainerSize().x, height: viewport.getContainerSize().y });
  Object.assign(microscope.viewer, { element: { getBoundingClientRect: box } });
  move = (left, top) => Object.assign(at, { left, top });
  const user = new EventTarget();
  stop = holdStill(microscope.microscope, user);
  press = () => user.dispatchEvent(new Event("pointerdown"));
  resize = (width, height) => {
    // OpenSeadragon keeps the scale
    const scale = viewport.getZoom() * viewport.getContainerSize().x;
    viewport.container = new OpenSeadragon.Point(width, height);
    microscope.viewer.raiseEvent("after-resize");
    viewport.zoomTo(scale / width);
  };
});
afterEach(() => vi.unstubAllGlobals());

let press: () => void;
let move: (left: number, top: number) => void;
let resize: (width: number, height: number) => void;
const centre = (): number[] => {
  const { x, y } = microscope.viewer.viewport.getCenter();
  return [x, y].map((value) => Number(value.toFixed(9)));
};

it("keeps the centre while the page arranges itself, before the user has done anything", () => {
  resize(480, 600);
  expect(centre()).toEqual([0.5, 0.5]);
});

describe("the slide stays where it is on the screen when a panel", () => {
  beforeEach(() => press());

  it.each<[number, boolean, number[]]>([
    [0, false, [0.4, 0.5]],
    [0, true, [0.6, 0.5]],
    [90, false, [0.5, 0.6]],
    [180, false, [0.6, 0.5]],
  ])("opens beside it, turned by %i degrees (mirrored: %s)", (rotation, flip, expected) => {
    microscope.viewer.viewport.rotateTo(rotation);
    microscope.viewer.viewport.setFlip(flip);
    resize(480, 600); // 320 CSS pixels less: the centre moves by 160, a tenth of the slide at this zoom
    expect(centre()).toEqual(expected);
    resize(800, 600);
    expect(centre()).toEqual([0.5, 0.5]);
  });

  it("or a bar above it goes", () => {
    move(0, -60);
    resize(800, 660); // the middle is 30 CSS pixels higher on the page
    expect(centre()).toEqual([0.5, 0.48125]);
  });

  it("opens below it", () => {
    resize(800, 360);
    expect(centre()).toEqual([0.5, 0.425]);
  });
});

it("the centre stays in a live session, whose members see the same", () => {
  press();
  microscope.state.setState({ shared: true });
  resize(480, 600);
  expect(centre()).toEqual([0.5, 0.5]);
});

it("the centre stays when the window changes", () => {
  press();
  vi.stubGlobal("innerWidth", 1046);
  resize(480, 600);
  expect(centre()).toEqual([0.5, 0.5]);
});

it("nothing is held any more once it has ended", () => {
  press();
  stop();
  resize(480, 600);
  expect(centre()).toEqual([0.5, 0.5]);
});
