import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakePage, forbidStorage, openPage } from "../fakePage";

let page: FakePage;
beforeEach(() => {
  page = openPage();
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

const load = () => import("./panelState");

describe("the side panel", () => {
  it("is closed in a new tab and the one of before in a tab that is loaded again", async () => {
    expect((await load()).panelState.getState().panel).toBeNull();
    page.sessionStorage.setItem("wavescope.panel", "tours");
    vi.resetModules();
    expect((await load()).panelState.getState().panel).toBe("tours");
  });

  it("opens in place of another, closes by its own button, and is remembered", async () => {
    const { panelState, togglePanel } = await load();
    togglePanel("tours");
    togglePanel("light");
    expect([panelState.getState().panel, page.sessionStorage.getItem("wavescope.panel")]).toEqual(["light", "light"]);
    togglePanel("light");
    expect([panelState.getState().panel, page.sessionStorage.getItem("wavescope.panel")]).toEqual([null, null]);
  });
});

describe("keys everywhere", () => {
  it("is on by default, and off in later tabs once it is switched off", async () => {
    const first = await load();
    expect(first.panelState.getState().keysEverywhere).toBe(true);
    first.setKeysEverywhere(false);
    vi.resetModules();
    const second = await load();
    expect(second.panelState.getState().keysEverywhere).toBe(false);
    second.setKeysEverywhere(true);
    vi.resetModules();
    expect((await load()).panelState.getState().keysEverywhere).toBe(true);
  });
});

it("works in a browser that forbids storage, and remembers nothing", async () => {
  forbidStorage();
  const { panelState, showPanel, showKeyboardMap, setKeysEverywhere } = await load();
  showPanel("light");
  setKeysEverywhere(false);
  showKeyboardMap(true);
  expect(panelState.getState()).toEqual({ panel: "light", overview: true, keyboardMap: true, keysEverywhere: false });
  vi.resetModules();
  expect((await load()).panelState.getState()).toEqual({
    panel: null,
    overview: true,
    keyboardMap: false,
    keysEverywhere: true,
  });
});
