import { expect, it } from "vitest";
import { casePath, parseRoute, quizPath, slidePath } from "./router";

it("knows the gallery and the slides", () => {
  expect(parseRoute("/")).toEqual({ page: "gallery" });
  expect(parseRoute("/slides/CMU-1.x")).toEqual({ page: "slide", id: "CMU-1.x" });
  expect(parseRoute(slidePath("a b/c%"))).toEqual({ page: "slide", id: "a b/c%" });
});

it("knows cases, tours, slides on their way in and the trash", () => {
  expect(parseRoute(casePath("c/1"))).toEqual({ page: "case", id: "c/1" });
  expect([parseRoute("/tours/t"), parseRoute("/incoming/j"), parseRoute("/trash")]).toEqual([
    { page: "tour", id: "t" },
    { page: "incoming", id: "j" },
    { page: "trash" },
  ]);
});

it("knows the link of a quiz (QZ26)", () => {
  expect(parseRoute(quizPath("q"))).toEqual({ page: "quiz", id: "q" });
});

it("knows where a session is joined, with its code and before one is typed", () => {
  expect([parseRoute("/join/7KQM2XWD"), parseRoute("/join"), parseRoute("/join/")]).toEqual([
    { page: "join", id: "7KQM2XWD" },
    { page: "join", id: null },
    { page: "join", id: null },
  ]);
});

it("knows the page of two slides", () => {
  expect(parseRoute("/compare")).toEqual({ page: "compare" });
});

it.each(["/slides/", "/slides/a/b", "/other", "/slides/%E0%A4%A"])("knows no page %s", (path) => {
  expect(parseRoute(path)).toEqual({ page: "unknown" });
});
