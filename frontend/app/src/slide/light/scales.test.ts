import { expect, it } from "vitest";
import type { Quantity } from "@wavescope/viewer/light/adjustments";
import { fromSlider, toSlider, labelOf } from "./scales";

const quantities: Quantity[] = ["brightness", "contrast", "gamma", "saturation"];

it.each(quantities)("brings every place of the %s slider back to itself", (quantity) => {
  const positions = Array.from({ length: 201 }, (_, i) => i - 100);
  expect(positions.map((position) => toSlider(quantity, fromSlider(quantity, position)))).toEqual(
    positions.map((position) => position + 0),
  );
});

it("leaves the picture as it is in the middle", () => {
  expect(quantities.map((quantity) => fromSlider(quantity, 0))).toEqual([0, 1, 1, 1]);
});

it("writes values as people read them", () => {
  expect([labelOf("brightness", 0.125), labelOf("contrast", 1.5), labelOf("gamma", 0.5)]).toEqual([
    "+13%",
    "150%",
    "0.50",
  ]);
});
