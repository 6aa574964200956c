import { expect, it } from "vitest";
import { nextSlide } from "./progress";

const slides = [{ id: "a" }, { id: "b" }, { id: "c" }];

it.each<[string, readonly string[], string | undefined]>([
  ["the first, where none was seen", [], "a"],
  ["the first that was not seen", ["a", "c", "other"], "b"],
  ["the first again, once all were seen", ["c", "b", "a"], "a"],
])("goes on with %s (CV10)", (_, seen, next) => {
  expect(nextSlide(slides, new Set(seen))?.id).toBe(next);
  expect(nextSlide([], new Set(seen))).toBeUndefined();
});
