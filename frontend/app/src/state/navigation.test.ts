import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPage } from "../fakePage";
import { stub } from "@wavescope/core/stub";
import * as router from "./router";
import { narrowTo } from "./listFilter";

beforeEach(() => router.rememberGallery({}));
afterEach(() => vi.unstubAllGlobals());

describe("an address of the page", () => {
  it.each<[string, string, Parameters<typeof router.addressOf>, string]>([
    ["has its own query", "/", ["/slides/a", { case: "c" }], "/slides/a?case=c"],
    ["lists a parameter with several values", "/", ["/", { label: ["a:1", "b:2"] }], "/?label=a%3A1&label=b%3A2"],
    ["drops what belongs to the page before", "/slides/a?case=c&tour=t&step=2&mode=swipe", ["/trash"], "/trash"],
    ["drops what a list was narrowed down to", "/audit?name=ada&since=2026-01-01", ["/people"], "/people"],
    [
      "takes session and fallback along",
      "/slides/a?session=5f&fallback=1&case=c",
      ["/slides/b"],
      "/slides/b?session=5f&fallback=1",
    ],
    [
      "ends in its hash",
      "/?session=5f",
      ["/compare#link=off", { left: "a", right: "b" }],
      "/compare?session=5f&left=a&right=b#link=off",
    ],
    ["has no question mark without a query", "/", ["/cases/c#x=1"], "/cases/c#x=1"],
    ["escapes values", "/", ["/sign-in", { next: "/slides/a?case=c&d" }], "/sign-in?next=%2Fslides%2Fa%3Fcase%3Dc%26d"],
  ])("%s", (_, now, asked, expected) => {
    openPage(now);
    expect(router.addressOf(...asked)).toBe(expected);
  });

  it("back to the gallery leads to how it was narrowed down, unless a query is given", () => {
    openPage("/slides/a");
    router.rememberGallery({ search: "duct", label: ["a:1"] });
    expect(router.addressOf("/")).toBe("/?search=duct&label=a%3A1");
    expect(router.addressOf("/", { sort: "title" })).toBe("/?sort=title");
    expect(router.addressOf("/trash")).toBe("/trash");
  });
});

describe("navigating", () => {
  it("makes an entry of the history, or replaces the present one, and tells the listeners", () => {
    const page = openPage("/");
    const listener = vi.fn();
    const stop = router.onNavigation(listener);
    router.navigate("/slides/a");
    router.navigate("/slides/b", { case: "c" }, { replace: true, hash: "#x=1", state: "s" });
    expect(page.writes).toEqual(["push /slides/a", "replace /slides/b?case=c#x=1"]);
    expect(page.state).toBe("s");
    expect(listener).toHaveBeenCalledTimes(2);
    page.back();
    expect(listener).toHaveBeenCalledTimes(3);
    stop();
    router.navigate("/");
    page.back();
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it.each<[string, object, boolean]>([
    ["a plain click", {}, true],
    ["Ctrl", { ctrlKey: true }, false],
    ["Command", { metaKey: true }, false],
    ["Shift", { shiftKey: true }, false],
    ["the middle button", { button: 1 }, false],
  ])("by a link with %s", (_, change, stays) => {
    const page = openPage("/");
    const preventDefault = vi.fn();
    const event = { metaKey: false, ctrlKey: false, shiftKey: false, button: 0, preventDefault, ...change };
    router.follow(stub<React.MouseEvent>(event), "/trash");
    expect(page.address).toBe(stays ? "/trash" : "/");
    expect(preventDefault).toHaveBeenCalledTimes(stays ? 1 : 0);
  });
});

describe("the session in the address", () => {
  it("is added and removed in place, and leaves query, hash and state as they are", () => {
    const page = openPage("/");
    router.navigate("/slides/a", { case: "c" }, { hash: "#x=1", state: "typed" });
    router.setSessionInAddress("session", "5f");
    expect([page.address, page.state]).toEqual(["/slides/a?case=c&session=5f#x=1", "typed"]);
    router.setSessionInAddress("session", null);
    expect([page.address, page.length]).toEqual(["/slides/a?case=c#x=1", 2]);
  });

  it("is written only when it changes", () => {
    const page = openPage("/slides/a?recording=r");
    const listener = vi.fn();
    router.onNavigation(listener);
    router.setSessionInAddress("recording", "r");
    router.setSessionInAddress("session", null);
    expect([page.writes, listener.mock.calls.length]).toEqual([[], 0]);
    router.setSessionInAddress("recording", null);
    expect([page.address, listener.mock.calls.length]).toEqual(["/slides/a", 1]);
  });
});

describe("narrowing a list down", () => {
  it("makes one entry of the history for all that is typed in a row", () => {
    const page = openPage("/");
    for (const search of ["d", "du", "duct"]) narrowTo({ search }, true);
    expect(page.writes).toEqual(["push /?search=d", "replace /?search=du", "replace /?search=duct"]);
    narrowTo({ search: "duct", sort: "title" });
    narrowTo({ search: "ducts", sort: "title" }, true);
    expect(page.writes.slice(3)).toEqual(["push /?search=duct&sort=title", "push /?search=ducts&sort=title"]);
  });

  it("is remembered of the gallery, not of a case", () => {
    openPage("/cases/c");
    narrowTo({ search: "x" });
    expect(router.addressOf("/")).toBe("/");
    openPage("/");
    narrowTo({ search: "x" });
    router.navigate("/slides/a");
    expect(router.addressOf("/")).toBe("/?search=x");
  });
});
