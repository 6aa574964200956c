import { expect, it } from "vitest";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "../core/microscope";
import { coverWith, freeField, freePart } from "./freePart";

it("the free part of the viewer is what a panel at the right or the lower edge leaves (PG80)", () => {
  const microscope = stub<Microscope>({ viewer: { element: { clientWidth: 1000, clientHeight: 600 } } });
  const panel = (offsetWidth: number, offsetHeight: number): void =>
    coverWith(microscope, { offsetWidth, offsetHeight } as HTMLElement);
  expect(freePart(microscope)).toEqual({ across: 1, down: 1 });
  panel(250, 600);
  expect(freePart(microscope)).toEqual({ across: 0.75, down: 1 });
  panel(1000, 150);
  expect(freePart(microscope)).toEqual({ across: 1, down: 0.75 });
  coverWith(microscope, null);
  expect(freePart(microscope)).toEqual({ across: 1, down: 1 });
});

it.each([
  [0, false, [1000, 2000]], // what is right on the screen is covered
  [90, false, [1050, 2050]], // it lies above on the slide
  [0, true, [1100, 2000]], // it lies left on the slide
])("the free part of a field turned by %i degrees, mirrored %s (PG80)", (rotation, flip, [l0_x, l0_y]) => {
  const viewer = { element: { clientWidth: 1000, clientHeight: 600 }, viewport: { getFlip: () => flip } };
  const microscope = stub<Microscope>({ viewer });
  const field = { l0_x: 1000, l0_y: 2000, l0_width: 400, l0_height: 240 };
  expect(freeField(microscope, field, rotation)).toBe(field);
  coverWith(microscope, { offsetWidth: 250, offsetHeight: 600 } as HTMLElement);
  const free = freeField(microscope, field, rotation);
  expect([free.l0_width, free.l0_height]).toEqual([300, 240]);
  expect([free.l0_x, free.l0_y].map(Math.round)).toEqual([l0_x, l0_y]);
});
