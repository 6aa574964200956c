import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { FakeMicroscope, FakePoint } from "@wavescope/viewer/core/testing";
import { openDocument } from "@wavescope/viewer/fakeBrowser";
import { type Adjustments, plain } from "@wavescope/viewer/light/adjustments";
import { type FakePage, openPage } from "../../fakePage";
import { addHere, bookmarksOf, linkWithBookmarks, takeFromLink, visit } from "./bookmarks";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
const light = createStore<{ adjustments: Adjustments }>(() => ({ adjustments: plain }));
const shown = vi.hoisted(() => ({ canvas: { width: 1200, height: 600 } }));
vi.mock("@wavescope/viewer/light/light", () => ({
  lightOf: () => ({ state: light, shown: () => shown.canvas }),
  readLight: () => light.getState().adjustments,
  setLight: (_: unknown, adjustments: Adjustments) => light.setState({ adjustments }),
}));

const HERE = "#x=2000&y=2000&scale=0.2";

let page: FakePage;
let microscope: FakeMicroscope;
let slides = 0;
let drawn: number[][];
beforeEach(() => {
  page = openPage("/slides/he");
  drawn = [];
  openDocument(() => {
    const pen = { fillRect: () => undefined, drawImage: (_: unknown, ...rect: number[]) => drawn.push(rect) };
    return { getContext: () => pen, toDataURL: () => "data:image/jpeg;base64,AA" };
  });
  microscope = open();
});
afterEach(() => vi.unstubAllGlobals());

/** A microscope with a slide of its own: bookmarks belong to slides. */
function open(id = `slide-${(slides += 1)}`, mpp: number | null = 0.25): FakeMicroscope {
  const manifest = { id, width: 4000, height: 3000, planes: 5, planeSpacingUm: null };
  return new FakeMicroscope({ ...manifest, mpp: mpp === null ? null : { x: mpp, y: mpp } });
}

describe("a bookmark of the view", () => {
  it("has the view, a name that says where it is, and a picture", () => {
    expect(addHere(microscope.microscope)).toMatchObject({
      name: "x 2000, y 2000, 8×",
      place: HERE,
      picture: "data:image/jpeg;base64,AA",
    });
    expect(addHere(open(undefined, null).microscope).name).toBe("x 2000, y 2000");
    expect(addHere(microscope.microscope, "Mitosis").name).toBe("Mitosis");
  });

  it("shows the middle of the view, as large as fits, whatever the shape of the screen", () => {
    addHere(microscope.microscope);
    shown.canvas = { width: 600, height: 1200 };
    addHere(microscope.microscope);
    expect(drawn).toEqual([
      [-20, 0, 160, 80],
      [0, -80, 120, 240],
    ]);
  });

  it("can be made on a page that is not served securely, where browsers make no random ids", () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const ids = [addHere(microscope.microscope).id, addHere(microscope.microscope).id];
    expect(new Set(ids).size).toBe(2);
  });

  it("is one for all that have the slide open, and another slide has its own", () => {
    addHere(microscope.microscope, "Mitosis");
    expect(bookmarksOf(open(microscope.manifest.id).microscope).getState()).toHaveLength(1);
    expect(bookmarksOf(open().microscope).getState()).toEqual([]);
  });

  it("lives as long as the page in a browser that forbids storage", () => {
    const denied = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "localStorage", { configurable: true, get: denied });
    addHere(microscope.microscope, "Mitosis");
    expect(bookmarksOf(microscope.microscope).getState()).toHaveLength(1);
  });
});

describe("visiting a bookmark", () => {
  it("shows its view, and the back button returns", () => {
    const bookmark = addHere(microscope.microscope);
    microscope.viewer.viewport.panTo(new FakePoint(0.1, 0.1));
    visit(microscope.microscope, bookmark);
    expect(microscope.viewer.viewport.getCenter()).toEqual({ x: 0.5, y: 0.5 });
    expect(page.writes).toEqual(["replace /slides/he#x=400&y=400&scale=0.2", `push /slides/he${HERE}`]);
  });

  it("whose view cannot be read moves nothing", () => {
    visit(microscope.microscope, { ...addHere(microscope.microscope), place: "#x=1" });
    expect(page.writes).toEqual([]);
  });
});

describe("a link with bookmarks", () => {
  it("keeps the file that an exported page shows, and nothing else that the address asks for", () => {
    openPage("/page/?case=7&file=..%2Fslides%2Fhe.wsz");
    expect(new URL(linkWithBookmarks(microscope.microscope)).search).toBe("?file=..%2Fslides%2Fhe.wsz");
    openPage("/slides/he?case=7");
    expect(new URL(linkWithBookmarks(microscope.microscope)).search).toBe("");
  });

  it("opens the view and brings all bookmarks to another browser, without their pictures", () => {
    addHere(microscope.microscope, "Mitosis & co");
    addHere(microscope.microscope, "50 %");
    const link = new URL(linkWithBookmarks(microscope.microscope));
    expect(link.origin + link.pathname).toBe("http://page.test/slides/he");
    expect(link.hash.startsWith(`${HERE}&bookmarks=`)).toBe(true);
    const other = open();
    expect(takeFromLink(other.microscope, link.hash)).toBe(2);
    expect(bookmarksOf(other.microscope).getState()).toMatchObject([
      { name: "Mitosis & co", place: HERE, picture: null },
      { name: "50 %", place: HERE, picture: null },
    ]);
    expect(takeFromLink(other.microscope, link.hash)).toBe(0);
  });

  it("that has none adds none", () => {
    expect(takeFromLink(microscope.microscope, HERE)).toBe(0);
  });
});
