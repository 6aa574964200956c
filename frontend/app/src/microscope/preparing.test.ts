import type { PointerEvent } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prepareOnNavigation, preparePressed } from "./preparing";

const begun = vi.hoisted(() => [] as unknown[]);
vi.mock("@wavescope/viewer/core/opening", () => ({
  prepareOpening: (id: string, { search, width }: { search: string; width: number }) => begun.push([id, search, width]),
}));
vi.mock("@wavescope/viewer/core/thumbnail", () => ({ beginThumbnail: (id: string) => begun.push(`thumbnail ${id}`) }));
vi.mock("../state/queries", () => ({
  queryClient: null,
  fetchManifestAhead: (_: unknown, id: string) => {
    begun.push(`manifest ahead ${id}`);
    return Promise.reject(new Error("no service"));
  },
  beginManifest: (id: string) => {
    begun.push(`manifest ${id}`);
    return Promise.resolve();
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
  preparePressed(pressed("/slides/a%20b"));
  expect(begun).toEqual([["a b", "?case=c", 800], "thumbnail a b", "manifest ahead a b"]);
});

it.each([
  ["a finger", pressed("/slides/next", { pointerType: "touch" })],
  ["another button", pressed("/slides/next", { button: 1 })],
  ["a key for another page", pressed("/slides/next", { ctrlKey: true })],
  ["the slide that is open", pressed("/slides/open")],
  ["another page", pressed("/trash")],
])("begins nothing for %s", (_, event) => {
  preparePressed(event);
  expect(begun).toEqual([]);
});

it("begins with them when the page becomes another slide, and only then (PG9)", () => {
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  prepareOnNavigation();
  const becomes = (pathname: string) => {
    vi.stubGlobal("location", { pathname, search: "", hash: "" });
    page.dispatchEvent(new Event("popstate"));
    return begun.splice(0);
  };
  expect(becomes("/slides/open")).toEqual([]);
  expect(becomes("/slides/next")).toEqual([["next", "", 800], "thumbnail next", "manifest next"]);
  expect(becomes("/slides/next")).toEqual([]);
  expect(becomes("/trash")).toEqual([]);
  expect(becomes("/slides/next")).toHaveLength(3);
});
