import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FakePage, forbidStorage, openPage } from "../fakePage";
import { isRequestable, qualities, qualityOfKind, rememberQuality, withChosen } from "./quality";

let page: FakePage;
beforeEach(() => (page = openPage()));
afterEach(() => vi.unstubAllGlobals());

const both = (quality: string, channelQuality = quality) => ({ quality, channelQuality });

it("is visually lossless until another is chosen", () => {
  expect(qualities()).toEqual(both("visual"));
  rememberQuality("lossless", null);
  expect(qualities()).toEqual(both("lossless"));
});

it("ST66: is another one of channels: a PSNR is for pictures alone, an error in units of noise for channels", () => {
  rememberQuality("38.5dB", null);
  expect(qualities()).toEqual(both("38.5dB", "visual"));
  rememberQuality("0.3sigma", "sigma");
  expect(qualities()).toEqual(both("38.5dB", "0.3sigma"));
  rememberQuality("fine", "SSIMULACRA 2");
  expect(qualities()).toEqual(both("fine", "0.3sigma"));
  rememberQuality("lossless", "sigma");
  expect(qualities()).toEqual(both("fine", "lossless"));
  expect(withChosen(both("40dB", "1sigma"), "compact", null)).toEqual(both("compact"));
});

it.each([
  ["40dB", true, false],
  ["0.5sigma", false, true],
  ["fine", true, true],
  ["best", false, false],
])("can be requested: %s of pictures: %s, of channels: %s", (quality, pictures, channels) => {
  expect([isRequestable(quality, "SSIMULACRA 2"), isRequestable(quality, "sigma")]).toEqual([pictures, channels]);
});

it("falls back to the one chosen last where the requested one is not for the file", () => {
  rememberQuality("0.5sigma", "sigma");
  expect(qualityOfKind(both("40dB"), "sigma")).toBe("0.5sigma");
  expect(qualityOfKind(both("40dB", "fine"), "sigma")).toBe("fine");
  expect(qualityOfKind(both("40dB"), null)).toBe("40dB");
  expect(qualityOfKind(both("0.3sigma"), "SSIMULACRA 2")).toBe("visual");
});

it("is taken over of channels from a browser that stored one quality of all", () => {
  page.localStorage.setItem("wavescope.quality", "0.5sigma");
  expect(qualities()).toEqual(both("visual", "0.5sigma"));
  page.localStorage.setItem("wavescope.quality", "lossless");
  expect(qualities()).toEqual(both("lossless"));
});

it.each(["jpeg", "29dB", "51dB", "40", "40.25dB"])("is visually lossless where the browser stores %s", (stored) => {
  page.localStorage.setItem("wavescope.quality", stored);
  expect(qualities()).toEqual(both("visual"));
});

it("is the default in a browser that forbids storage, and choosing does not fail", () => {
  forbidStorage();
  expect(() => rememberQuality("lossless", null)).not.toThrow();
  expect(qualities()).toEqual(both("visual"));
});
