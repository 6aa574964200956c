import { expect, it } from "vitest";
import { facetTitle, facetValueTitle } from "./facetNames";

it("calls facets and their values by names for people", () => {
  expect([facetTitle("planes"), facetTitle("tag.stain"), facetTitle("tag.")]).toEqual(["Focal planes", "Stain", ""]);
  expect([
    facetValueTitle("objective", "40x"),
    facetValueTitle("planes", "7"),
    facetValueTitle("tag.stain", "H&E"),
  ]).toEqual(["40×", "7 planes", "H&E"]);
  expect([
    facetValueTitle("planes", "1"),
    facetValueTitle("profile", "visual"),
    facetValueTitle("format", "png"),
    facetValueTitle("vendor", "aperio"),
  ]).toEqual(["1 plane", "lossy", "PNG", "Aperio"]);
  expect([facetValueTitle("objective", "10x equivalent"), facetValueTitle("objective", "no scale")]).toEqual([
    "10× equivalent",
    "No scale",
  ]);
});
