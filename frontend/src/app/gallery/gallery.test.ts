import { expect, it } from "vitest";
import { gallery, searchFor, showAll, toggleChosen, toggleLabel } from "./gallery";

it("adds and takes away choices, and keeps the chosen slides when all are shown again", () => {
  toggleLabel("planes:1");
  toggleLabel("vendor:aperio");
  toggleLabel("planes:1");
  toggleChosen("a");
  searchFor("liver");
  expect(gallery.getState()).toEqual({ search: "liver", labels: ["vendor:aperio"], chosen: ["a"] });
  showAll();
  expect(gallery.getState()).toEqual({ search: "", labels: [], chosen: ["a"] });
});
