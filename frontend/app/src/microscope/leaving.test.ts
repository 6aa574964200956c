import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakePage, forbidStorage, openPage } from "../fakePage";
import { saveView, restoreView } from "./leaving";

let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/a#x=1");
  loadedBy("reload");
});
afterEach(() => vi.unstubAllGlobals());

/** How the browser came to this page. */
function loadedBy(type: string): void {
  vi.stubGlobal("performance", { getEntriesByType: () => [{ type }] });
}

describe("a move that the address does not hold yet", () => {
  it.each(["reload", "back_forward"])("is regained when the same page is loaded again by %s", (type) => {
    loadedBy(type);
    saveView("/slides/a#x=2");
    restoreView();
    expect(page.writes).toEqual(["replace /slides/a#x=2"]);
  });

  it("is regained once", () => {
    saveView("/slides/a#x=2");
    restoreView();
    restoreView();
    expect(page.writes).toHaveLength(1);
  });

  it("is not regained where the address was typed or followed", () => {
    loadedBy("navigate");
    saveView("/slides/a#x=2");
    restoreView();
    expect(page.writes).toEqual([]);
  });

  it("is not regained on another page, also not when the first one is loaded later", () => {
    saveView("/slides/a#x=2");
    history.pushState(null, "", "/slides/b");
    restoreView();
    page.back();
    restoreView();
    expect(page.address).toBe("/slides/a#x=1");
  });

  it("is not noted where the address holds it", () => {
    saveView("/slides/a#x=1");
    restoreView();
    expect(page.writes).toEqual([]);
  });

  it("is lost in a browser that forbids storage, without an error", () => {
    forbidStorage();
    saveView("/slides/a#x=2");
    restoreView();
    expect(page.writes).toEqual([]);
  });

  it("is lost where what is stored is no JSON, without an error", () => {
    page.sessionStorage.setItem("wavescope.left", "{");
    restoreView();
    expect(page.writes).toEqual([]);
  });
});
