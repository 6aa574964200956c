import { expect, it } from "vitest";
import { byUse, facetTitle, facetValueTitle, inOrder, tagKey, tagName } from "./facetNames";

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

it("orders objectives and planes by their number, and leaves other values in the order of the service", () => {
  const values = (...list: string[]) => list.map((value) => ({ value, title: value, count: 1 }));
  const ordered = (name: string, ...list: string[]) => inOrder(name, values(...list)).map(({ value }) => value);
  expect(
    ordered("objective", "40x", "no scale", "10x equivalent", "100x", "1.25x equivalent", "40x equivalent"),
  ).toEqual(["1.25x equivalent", "10x equivalent", "40x", "40x equivalent", "100x", "no scale"]);
  expect(ordered("planes", "1", "12", "3")).toEqual(["1", "3", "12"]);
  expect(ordered("vendor", "b", "a")).toEqual(["b", "a"]);
});

it("lists the suggested tags first, then other tags, then what files say", () => {
  const names = ["case", "vendor", "tag.block", "tag.colour", "tag.stain"];
  const facets = names.map((name) => ({ name, values: [] }));
  expect(byUse(facets).map(({ name }) => name)).toEqual(["tag.stain", "tag.block", "tag.colour", "case", "vendor"]);
});

it("QM12: calls what was found of scans by its name, and a value it does not know as the service does", () => {
  expect([facetTitle("focus"), facetTitle("covered")]).toEqual(["Focus of the scan", "Over the tissue"]);
  expect(["sharp", "partly", "blurred", "else"].map((value) => facetValueTitle("focus", value))).toEqual([
    "In focus",
    "Partly out of focus",
    "Out of focus",
    "else",
  ]);
  expect(facetValueTitle("covered", "both")).toBe("Ink and air bubbles");
});

it("tags that are suggested have names in the language of the page, others those that were typed", () => {
  expect(["stain", "site", ""].map(tagName)).toEqual(["Stain", "site", ""]);
  expect(["Stain", "stain", "site"].map(tagKey)).toEqual(["stain", "stain", "site"]);
});
