import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMicroscope, FakePoint } from "../core/testing";
import { OwnPointer, type Pointed } from "./ownPointer";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

/** 800 CSS pixels show 4000 level-0 pixels. */
const SLIDE = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };

let microscope: FakeMicroscope;
let pointer: OwnPointer;
let reported: Pointed[];
beforeEach(() => {
  microscope = new FakeMicroscope(SLIDE);
  reported = [];
  pointer = new OwnPointer(microscope.microscope, (at) =>
    reported.push(at && { l0_x: round(at.l0_x), l0_y: round(at.l0_y) }),
  );
});
afterEach(() => pointer.close());

const round = (value: number): number => Math.round(value * 1000) / 1000 + 0; // never -0

/** An event at a position of the window; the viewer's corner is at 100, 50. */
function raise(name: string, clientX = 0, clientY = 0, pointerType = "mouse"): void {
  microscope.viewer.element.dispatchEvent(Object.assign(new Event(name), { clientX, clientY, pointerType }));
}

/** The level-0 point in the viewer's corner. */
const corner = () => {
  const { l0_x, l0_y } = microscope.reading().region;
  return { l0_x, l0_y };
};

describe("the own pointer", () => {
  it("is reported as the point of the slide under it, counted from the corner of the viewer", () => {
    raise("pointermove", 100, 50);
    raise("pointermove", 500, 50);
    expect(reported).toEqual([corner(), { l0_x: corner().l0_x + 2000, l0_y: corner().l0_y }]);
  });

  it("is reported when it is pressed without a movement before, as a finger is", () => {
    raise("pointerdown", 100, 50, "touch");
    expect(reported).toEqual([corner()]);
  });

  it("is reported again when the slide moves under it, and not when nothing has moved", () => {
    raise("pointermove", 100, 50);
    microscope.viewer.frame();
    expect(reported).toHaveLength(1);
    microscope.viewer.viewport.panTo(new FakePoint(0.75, 0.5));
    microscope.viewer.frame();
    expect(reported).toHaveLength(2);
    expect(reported[1]).toEqual({ l0_x: reported[0]!.l0_x + 1000, l0_y: corner().l0_y });
  });

  it("is gone when it leaves the viewer, and gone only once", () => {
    raise("pointermove", 100, 50);
    raise("pointerleave");
    raise("pointerleave");
    microscope.viewer.frame();
    expect(reported.slice(1)).toEqual([null]);
  });

  it.each([
    ["pointerup", "touch", true],
    ["pointercancel", "pen", true],
    ["pointerup", "mouse", false],
    ["pointercancel", "mouse", false],
    ["pointerleave", "touch", true],
  ])("after %s of a %s is gone: %s", (name, type, gone) => {
    raise("pointermove", 300, 200, type);
    raise(name, 300, 200, type);
    expect(reported.at(-1) === null).toBe(gone);
  });
});

describe("pointing at the centre, for keyboard users", () => {
  it("reports the centre of the view while no pointer is over the viewer", () => {
    pointer.pointAtCentre(true);
    expect(reported).toEqual([{ l0_x: 2000, l0_y: 2000 }]);
    raise("pointermove", 100, 50);
    raise("pointerleave");
    expect(reported.slice(1)).toEqual([corner(), { l0_x: 2000, l0_y: 2000 }]);
  });

  it("ends when it is switched off", () => {
    pointer.pointAtCentre(true);
    pointer.pointAtCentre(false);
    expect(reported.at(-1)).toBeNull();
  });

  it("says nothing when it is switched off while a pointer is over the viewer", () => {
    raise("pointermove", 100, 50);
    pointer.pointAtCentre(true);
    pointer.pointAtCentre(false);
    expect(reported).toHaveLength(1);
  });
});

it("reports nothing once it is closed, and leaves no handler behind", () => {
  pointer.close();
  raise("pointermove", 300, 200);
  microscope.viewer.frame();
  expect([reported, microscope.viewer.handlerCount]).toEqual([[], 0]);
});
