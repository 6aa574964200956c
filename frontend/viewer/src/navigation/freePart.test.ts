import { expect, it } from "vitest";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "../core/microscope";
import { coverWith, freePart } from "./freePart";

it("the free part of the viewer is what a panel at the right or the lower edge leaves (PG80)", () => {
  const microscope = stub<Microscope>({ viewer: { element: { clientWidth: 1000, clientHeight: 600 } } });
  const panel = (clientWidth: number, clientHeight: number): void =>
    coverWith(microscope, { clientWidth, clientHeight } as Element);
  expect(freePart(microscope)).toEqual({ across: 1, down: 1 });
  panel(250, 600);
  expect(freePart(microscope)).toEqual({ across: 0.75, down: 1 });
  panel(1000, 150);
  expect(freePart(microscope)).toEqual({ across: 1, down: 0.75 });
  coverWith(microscope, null);
  expect(freePart(microscope)).toEqual({ across: 1, down: 1 });
});
