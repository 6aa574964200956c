import { expect, it, vi } from "vitest";
import type { Microscope } from "../core/microscope";
import { stub } from "@wavescope/core/stub";
import { testManifest } from "@wavescope/core/wire/testing";
import { pictureName } from "./viewPicture";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const microscopeAt = (scale: number, mpp: number | null, power: number | null = null): Microscope =>
  stub<Microscope>({
    manifest: testManifest({ id: "he-1", mpp: mpp === null ? null : { x: mpp, y: mpp }, objective_power: power }),
    reading: () => ({ region: { l0_x: 100.2, l0_y: 200, l0_width: 400.8, l0_height: 301 }, scale }),
  });

it.each<[string, Microscope, string]>([
  ["its magnification", microscopeAt(0.5, 0.25), "he-1-x301-y351-20x.png"],
  ["its magnification by the objective that the file states", microscopeAt(1, null, 20), "he-1-x301-y351-20x.png"],
  ["a fraction of a magnification", microscopeAt(0.01, 0.25), "he-1-x301-y351-0.4x.png"],
  ["its scale in per cent where the slide has none", microscopeAt(0.12345, null), "he-1-x301-y351-12.3%.png"],
])("the picture of a view is named after slide, centre and %s, without a space", (_, microscope, name) => {
  expect(pictureName(microscope)).toBe(name);
});
