import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { seeded, testManifest } from "@wavescope/core/wire/testing";
import { beginThumbnail, thumbnailLevel, thumbnailOf } from "./thumbnail";

class FakeImage extends EventTarget {
  src = "";
  fetchPriority = "auto";
  complete = false;
  naturalWidth = 0;
}

let images: FakeImage[];
beforeEach(() => {
  images = [];
  vi.stubGlobal("Image", function () {
    images.push(new FakeImage());
    return images.at(-1);
  });
});
afterEach(() => {
  thumbnailOf(testManifest()); // nothing begun is left for the next test
  vi.unstubAllGlobals();
});

const EARLY = "/api/v1/slides/s/thumbnail?max=576";
const OWN = "/api/v1/slides/s/v/d/thumbnail?max=576";
const addresses = (): string[] => images.map(({ src }) => src);

describe("the thumbnail of a slide that is being opened", () => {
  it("is the one that was begun with the manifest: nothing is asked for twice", () => {
    beginThumbnail("s");
    beginThumbnail("s");
    expect(thumbnailOf(testManifest())).toBe(images[0]);
    expect(addresses()).toEqual([EARLY]);
    expect(images[0]!.fetchPriority).toBe("high");
  });

  it("is that of its version where none was begun, or one of another slide", () => {
    thumbnailOf(testManifest());
    beginThumbnail("other");
    thumbnailOf(testManifest());
    expect([addresses()[0], addresses()[2]]).toEqual([OWN, OWN]);
  });

  it("is used once: a slide that is opened again asks for its own", () => {
    beginThumbnail("s");
    thumbnailOf(testManifest());
    expect(thumbnailOf(testManifest())).not.toBe(images[0]);
    expect(addresses()).toEqual([EARLY, OWN]);
  });

  it("of a slide that is not imported yet is its own", () => {
    beginThumbnail("s");
    expect(thumbnailOf({ ...testManifest(), preview: true })).toBe(images[1]);
  });

  it("is asked for anew where the one that was begun has failed already", () => {
    beginThumbnail("s");
    images[0]!.complete = true;
    expect(thumbnailOf(testManifest())).toBe(images[1]);
  });

  it("is that of its version where the one that was begun fails later, once", () => {
    beginThumbnail("s");
    thumbnailOf(testManifest());
    images[0]!.dispatchEvent(new Event("error"));
    expect(images[0]!.src).toBe(OWN);
    images[0]!.src = "as it is";
    images[0]!.dispatchEvent(new Event("error"));
    expect(images[0]!.src).toBe("as it is");
  });
});

describe("the level that the thumbnail shows", () => {
  const longest = (pyramid: Pyramid, level: number): number =>
    Math.max(pyramid.levelSize(level).width, pyramid.levelSize(level).height);

  it("WI11: is the coarsest that is not smaller than the thumbnail, or level 0, for slides of any size", () => {
    const random = seeded(4);
    for (let round = 0; round < 500; round += 1) {
      const [width, height] = [1, 2].map(() => 1 + Math.floor(2 ** (18 * random()))) as [number, number];
      const pyramid = new Pyramid(width, height);
      const level = thumbnailLevel(pyramid);
      if (level > 0) expect(longest(pyramid, level)).toBeGreaterThanOrEqual(576);
      if (level < pyramid.top) expect(longest(pyramid, level + 1)).toBeLessThan(576);
    }
  });

  it.each([
    [100, 100, 0],
    [576, 10, 0],
    [1151, 10, 1],
    [1152, 10, 1],
    [1150, 10, 0],
  ])("of %i x %i pixels is %i", (width, height, level) => {
    expect(thumbnailLevel(new Pyramid(width, height))).toBe(level);
  });
});
