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

it("may be a PSNR of the user's choice (ST66)", () => {
  rememberQuality("38.5dB");
  expect(quality()).toBe("38.5dB");
});

it.each(["jpeg", "29dB", "51dB", "40", "40.25dB"])("is visually lossless where the browser stores %s", (stored) => {
  page.localStorage.setItem("wavescope.quality", stored);
  expect(quality()).toBe("visual");
});

it("is the default in a browser that forbids storage, and choosing does not fail", () => {
  forbidStorage();
  expect(() => rememberQuality("lossless")).not.toThrow();
  expect(quality()).toBe("visual");
});
