import type { PointerEvent } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prepareSlide } from "./pressing";

const begun = vi.hoisted(() => [] as unknown[]);
vi.mock("@wavescope/viewer/core/opening", () => ({
  prepareOpening: (id: string, { search, width }: { search: string; width: number }) => begun.push([id, search, width]),
}));
vi.mock("@wavescope/viewer/core/thumbnail", () => ({ beginThumbnail: (id: string) => begun.push(`thumbnail ${id}`) }));
vi.mock("../state/queries", () => ({
  queryClient: null,
  fetchManifestAhead: (_: unknown, id: string) => {
    begun.push(`manifest ${id}`);
    return Promise.reject(new Error("no service"));
  },
}));

beforeEach(() => {
  begun.length = 0;
  vi.stubGlobal("location", { pathname: "/slides/open", search: "", hash: "" });
  vi.stubGlobal("window", { innerWidth: 800, innerHeight: 600, devicePixelRatio: 1 });
});
afterEach(() => vi.unstubAllGlobals());

const pressed = (pathname: string, more: object = {}) =>
  ({
    pointerType: "mouse",
    button: 0,
    currentTarget: { pathname, search: "?case=c", hash: "" },
    ...more,
  }) as PointerEvent<HTMLAnchorElement>;

it("begins with manifest, first view and thumbnail of the slide that a link leads to (PG9)", () => {
  prepareSlide(pressed("/slides/a%20b"));
  expect(begun).toEqual([["a b", "?case=c", 800], "thumbnail a b", "manifest a b"]);
});

it.each([
  ["a finger", pressed("/slides/next", { pointerType: "touch" })],
  ["another button", pressed("/slides/next", { button: 1 })],
  ["a key for another page", pressed("/slides/next", { ctrlKey: true })],
  ["the slide that is open", pressed("/slides/open")],
  ["another page", pressed("/trash")],
])("begins nothing for %s", (_, event) => {
  prepareSlide(event);
  expect(begun).toEqual([]);
});
