import { expect, it } from "vitest";
import { chooseNone, gallery, toggleChosen } from "./gallery";

it("chooses slides one by one, and none", () => {
  for (const id of ["a", "b", "a"]) toggleChosen(id);
  expect(gallery.getState()).toEqual({ chosen: ["b"] });
  chooseNone();
  expect(gallery.getState()).toEqual({ chosen: [] });
});
