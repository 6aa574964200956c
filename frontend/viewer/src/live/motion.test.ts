import { expect, it } from "vitest";
import type { View } from "../view/view";
import { motionOf, movedOn } from "./motion";

const view = (change: Partial<View> = {}): View => ({
  l0_x: 1000,
  l0_y: 1000,
  l0_width: 400,
  l0_height: 300,
  rotation: 0,
  flip: false,
  plane: 0,
  adjustments: null,
  ...change,
});

it("SE36: tells speed and target of a moving view", () => {
  const target = view({ l0_x: 1500 });
  const motion = motionOf({ view: view(), time: 0 }, { view: view({ l0_x: 1010, l0_y: 995 }), time: 20 }, target);
  expect(motion).toEqual({ l0_vx: 500, l0_vy: -250, target });
  expect(movedOn(view(), motion!)).toEqual(view({ l0_x: 1250, l0_y: 875 }));
});

it("a view that rests has no motion", () => {
  expect(motionOf({ view: view(), time: 0 }, { view: view(), time: 20 }, view())).toBeNull();
  expect(motionOf(null, { view: view(), time: 20 }, view())).toBeNull();
});

it("a jump has no speed, nor has what happened long ago", () => {
  expect(
    motionOf({ view: view(), time: 0 }, { view: view({ l0_x: 9000 }), time: 20 }, view({ l0_x: 9000 })),
  ).toBeNull();
  expect(
    motionOf({ view: view(), time: 0 }, { view: view({ l0_x: 1010 }), time: 500 }, view({ l0_x: 1010 })),
  ).toBeNull();
});
