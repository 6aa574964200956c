import { describe, expect, it } from "vitest";
import { addressesOf } from "./addresses";

const below = (kind: "slide" | "case"): string[] =>
  addressesOf(kind, "a/b", "https://slides.example").map(({ address }) =>
    address.replace(/^https:\/\/slides\.example\/api\/v1\//, ""),
  );

describe("addresses for other software", () => {
  it("are those of the current version of a slide (IF1, IF10, DZ1, DZ5, OZ1, DW12)", () => {
    expect(below("slide")).toEqual([
      "slides/a%2Fb/iiif/manifest",
      "slides/a%2Fb/iiif/3/info.json",
      "slides/a%2Fb/deepzoom/0/jpg.dzi",
      "slides/a%2Fb/xyz/{z}/{x}/{y}.jpg",
      "slides/a%2Fb/ome.zarr",
      "dicomweb",
    ]);
  });

  it("of a case are its manifest (IF11)", () => {
    expect(below("case")).toEqual(["cases/a%2Fb/iiif/manifest"]);
  });
});
