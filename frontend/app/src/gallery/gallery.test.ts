import { expect, it } from "vitest";
import { chooseAlso, chooseNone, gallery, toggleChosen } from "./gallery";

const slide = (id: string) => ({ id, title: id.toUpperCase(), editable: true });

it("chooses slides one by one, several at once, and none", () => {
  for (const id of ["a", "b", "a"]) toggleChosen(slide(id));
  expect(gallery.getState()).toEqual({ chosen: [slide("b")] });
  chooseAlso(["a", "b", "c"].map(slide));
  expect(gallery.getState().chosen.map(({ id }) => id)).toEqual(["b", "a", "c"]);
  chooseNone();
  expect(gallery.getState()).toEqual({ chosen: [] });
});
