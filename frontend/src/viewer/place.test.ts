import { expect, it } from "vitest";
import { parsePlace, placeHash } from "./place";

it("finds the place again that it wrote", () => {
  const hash = placeHash({ l0_x: 100, l0_y: 200, l0_width: 50, l0_height: 20 }, 0.75, 2);
  expect(hash).toBe("#x=125&y=210&scale=0.75&plane=2");
  expect(parsePlace(hash)).toEqual({ l0_x: 125, l0_y: 210, scale: 0.75, plane: 2 });
});

it.each(["", "#", "#x=1&y=2", "#x=1&y=2&scale=0", "#x=1&y=2&scale=-1", "#x=a&y=2&scale=1", "#x=1&y=2&scale=1e9", "#x=1&y=2&scale=1&plane=-3"])(
  "takes %j for no place at all",
  (hash) => {
    expect(parsePlace(hash)).toBeNull();
  },
);
