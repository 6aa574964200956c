import { expect, it } from "vitest";
import { parseRoute, slidePath } from "./router";

it("knows the gallery and the slides", () => {
  expect(parseRoute("/")).toEqual({ page: "gallery" });
  expect(parseRoute("/slides/CMU-1.x")).toEqual({ page: "slide", id: "CMU-1.x" });
  expect(parseRoute(slidePath("a b/c%"))).toEqual({ page: "slide", id: "a b/c%" });
});

it.each(["/slides/", "/slides/a/b", "/other", "/slides/%E0%A4%A"])("knows no page %s", (path) => {
  expect(parseRoute(path)).toEqual({ page: "unknown" });
});
