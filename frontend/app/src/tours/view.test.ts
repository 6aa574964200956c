import { expect, it } from "vitest";
import { viewOf } from "./view";

it("reads a view and fills in what is missing", () => {
  const json = { l0_x: 1, l0_y: 2, l0_width: 3, l0_height: 4 };
  expect(viewOf(json)).toEqual({ ...json, rotation: 0, flip: false, plane: 0, adjustments: null });
  expect(viewOf({ ...json, rotation: 30, flip: true, plane: 2, adjustments: { gamma: 2 }, later: "?" })).toEqual({
    ...json,
    rotation: 30,
    flip: true,
    plane: 2,
    adjustments: { gamma: 2 },
  });
});

it.each([{}, { l0_x: 1, l0_y: 2, l0_width: 0, l0_height: 4 }, { l0_x: "1", l0_y: 2, l0_width: 3, l0_height: 4 }])(
  "finds no view in %j",
  (json) => {
    expect(viewOf(json)).toBeNull();
  },
);
