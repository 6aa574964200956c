import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FakePage, forbidStorage, openPage } from "../fakePage";
import { quality, rememberQuality } from "./quality";

let page: FakePage;
beforeEach(() => (page = openPage()));
afterEach(() => vi.unstubAllGlobals());

it("is visually lossless until another is chosen", () => {
  expect(quality()).toBe("visual");
  rememberQuality("lossless");
  expect(quality()).toBe("lossless");
});

it("is visually lossless where the browser holds a quality that this version does not know", () => {
  page.localStorage.setItem("wavescope.quality", "jpeg");
  expect(quality()).toBe("visual");
});

it("is the default in a browser that forbids storage, and choosing does not fail", () => {
  forbidStorage();
  expect(() => rememberQuality("lossless")).not.toThrow();
  expect(quality()).toBe("visual");
});
