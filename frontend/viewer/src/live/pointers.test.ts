import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope, FakePoint } from "../core/testing";
import { FakeElement, FakeFrames, openDocument } from "../fakeBrowser";
import { type Pointer, PointerLayer, textColorOn } from "./pointers";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

/** 800 CSS pixels show 4000 level-0 pixels, from 0 and 500 on. */
const SLIDE = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };

const ada: Pointer = { id: "m1", name: "Ada", color: "#e03131", l0_x: 1000, l0_y: 1500, laser: false, label: "shown" };
const ben: Pointer = { ...ada, id: "m2", name: "Ben", laser: true };

let microscope: FakeMicroscope;
let frames: FakeFrames;
let layer: PointerLayer;
let still = false;
beforeEach(() => {
  openDocument();
  vi.stubGlobal("matchMedia", () => ({ matches: still }));
  frames = new FakeFrames();
  open();
});
afterEach(() => {
  still = false;
  vi.unstubAllGlobals();
});

function open(): void {
  microscope = new FakeMicroscope(SLIDE);
  layer = new PointerLayer(microscope.microscope);
}

const root = (): FakeElement => microscope.viewer.canvas.appended[0] as FakeElement;
const cursors = (): FakeElement[] => root().children.filter(({ dataset }) => "pointer" in dataset);
const ids = (): string[] => cursors().map(({ dataset }) => dataset.pointer!);
const nameOf = (cursor: FakeElement): string => cursor.all("span")[0]!.textContent;
const traces = (): (string | null)[] =>
  root()
    .all("polyline")
    .map((trace) => trace.getAttribute("points"));

describe("the pointers of other members", () => {
  it("lie at their position in the slide, and follow when the slide is moved", () => {
    layer.set([ada]);
    frames.draw();
    expect(cursors()[0]!.style.transform).toBe("translate(200px, 200px)");
    microscope.viewer.viewport.panTo(new FakePoint(0.75, 0.5));
    microscope.viewer.frame();
    expect(cursors()[0]!.style.transform).toBe("translate(0px, 200px)");
  });

  it("are shown once for each member; members that are not named any more disappear, with their trace", () => {
    layer.set([ada, ben]);
    layer.set([{ ...ada, l0_x: 5 }, ben]);
    expect(ids()).toEqual(["m1", "m2"]);
    layer.set([ada]);
    expect([ids(), traces().length]).toEqual([["m1"], 1]);
    layer.set([]);
    expect([ids(), traces()]).toEqual([[], []]);
  });

  it("keep their element as long as only the position changes", () => {
    layer.set([ada]);
    const [first] = cursors();
    layer.set([{ ...ada, l0_x: 0 }]);
    expect(cursors()).toEqual([first]);
  });

  it.each<[string, Partial<Pointer>]>([
    ["name", { name: "Ada L." }],
    ["colour", { color: "#000000" }],
    ["kind", { laser: true }],
  ])("are drawn anew when the %s changes", (_, change) => {
    layer.set([ada]);
    const [first] = cursors();
    layer.set([{ ...ada, ...change }]);
    expect(cursors()).toHaveLength(1);
    expect(cursors()[0]).not.toBe(first);
    expect(cursors()[0]!.dataset.kind).toBe(change.laser ? "laser" : "cursor");
    expect(nameOf(cursors()[0]!)).toBe(change.name ?? "Ada");
  });

  it("are 64 at most, so that a large audience does not slow the viewer down", () => {
    layer.set(Array.from({ length: 80 }, (_, i) => ({ ...ada, id: `m${i}` })));
    expect(ids()).toEqual(Array.from({ length: 64 }, (_, i) => `m${i}`));
  });

  it("are drawn once for all changes between two frames", () => {
    layer.set([ada]);
    layer.set([{ ...ada, l0_x: 0 }]);
    expect(frames.asked).toBe(1);
    frames.draw();
    expect(frames.asked).toBe(0);
  });
});

describe("a name", () => {
  const hidden = (): boolean => cursors()[0]!.all("span")[0]!.hidden;

  it.each([
    ["shown", false],
    ["hidden", true],
    ["near", true],
  ] as const)("that is %s has no place in the picture without need", (label, expected) => {
    layer.set([{ ...ada, label }]);
    frames.draw();
    expect(hidden()).toBe(expected);
  });

  it("on hover is shown while the own pointer is near", () => {
    layer.set([{ ...ada, label: "near" }]);
    layer.hover({ l0_x: 1050, l0_y: 1500 });
    frames.draw();
    expect(hidden()).toBe(false);
    layer.hover({ l0_x: 2000, l0_y: 1500 });
    frames.draw();
    expect(hidden()).toBe(true);
  });
});

describe("the trace of a laser pointer", () => {
  it("follows its last positions for 0.7 seconds, frame by frame, and then no frame is asked for", () => {
    layer.set([ben]);
    frames.draw();
    layer.set([{ ...ben, l0_x: 2000 }]);
    frames.draw(100);
    expect(traces()).toEqual(["200,200 400,200"]);
    frames.draw(599);
    expect(traces()).toEqual(["400,200"]);
    frames.draw(200);
    expect([traces(), frames.asked]).toEqual([[""], 0]);
  });

  it("has no second point while the pointer rests", () => {
    layer.set([ben]);
    layer.set([{ ...ben }]);
    frames.draw();
    expect(traces()).toEqual(["200,200"]);
  });

  it("ends with the pointer, which fades away where it was", () => {
    layer.set([ben]);
    const pointer = cursors()[0]!;
    layer.set([]);
    expect([ids(), traces(), root().children.includes(pointer)]).toEqual([[], [], true]);
    (pointer.animate.mock.results[0]!.value as { onfinish(): void }).onfinish();
    expect(root().children.includes(pointer)).toBe(false);
  });

  it("is not drawn for a cursor, nor for users who want less motion", () => {
    layer.set([ada]);
    frames.draw();
    expect(traces()).toEqual([""]);
    still = true;
    open();
    layer.set([ben]);
    frames.draw();
    expect([traces(), frames.asked]).toEqual([[""], 0]);
  });
});

it("leaves nothing behind when it is closed: no handler and no frame", () => {
  layer.set([ben]);
  layer.close();
  expect([frames.asked, microscope.viewer.handlerCount]).toEqual([0, 0]);
});

describe("the ink on a colour", () => {
  /** Contrast ratio of WCAG 2 between a grey or pure colour and black or white, from its relative luminance. */
  const contrast = (luminance: number, ink: string): number =>
    ink === "#000" ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05);

  it.each([
    ["#ffffff", "#000"],
    ["#000000", "#fff"],
    ["#ffff00", "#000"],
    ["#0000ff", "#fff"],
    ["#e03131", "#000"],
    ["#c92a2a", "#fff"],
    ["#ffd43b", "#000"],
  ])("%s is %s", (color, ink) => {
    expect(textColorOn(color)).toBe(ink);
  });

  it("is the one with more contrast, on every grey", () => {
    for (let grey = 0; grey < 256; grey += 1) {
      const part = grey / 255;
      const luminance = part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      const ink = textColorOn(`#${grey.toString(16).padStart(2, "0").repeat(3)}`);
      const other = ink === "#000" ? "#fff" : "#000";
      expect(contrast(luminance, ink)).toBeGreaterThanOrEqual(contrast(luminance, other) - 0.05);
    }
  });
});
