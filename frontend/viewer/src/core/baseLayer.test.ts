import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TileEngine } from "@wavescope/core/tiles/engine";
import { stub } from "@wavescope/core/stub";
import { BaseLayer } from "./baseLayer";

const COARSEST = 4;

/** An image element as far as it is used. */
class FakeImage extends EventTarget {
  constructor(
    public complete: boolean,
    public naturalWidth = 576,
  ) {
    super();
  }

  load(width = 576): void {
    Object.assign(this, { complete: true, naturalWidth: width });
    this.dispatchEvent(new Event("load"));
  }
}

const bitmap = { width: 320, close: vi.fn() };
const loaded = vi.fn();
let decoded: () => void;
beforeEach(() => {
  vi.clearAllMocks();
  decoded = () => undefined;
  vi.stubGlobal("createImageBitmap", () => Promise.resolve(bitmap));
});
afterEach(() => vi.unstubAllGlobals());

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

const engineOf = (plane = 2, hasCoarsest = true) =>
  stub<TileEngine>({
    plane,
    variant: "red",
    coarsest: { level: COARSEST, size: { width: 256, height: 200 }, picture: hasCoarsest ? {} : null },
  });

function layerOf(image: FakeImage, engine = engineOf()): BaseLayer {
  return new BaseLayer(engine, 2, "red", stub<HTMLImageElement>(image), loaded);
}

describe("the thumbnail under the tiles", () => {
  it("is not there in another variant than its own", async () => {
    const engine = engineOf();
    const layer = layerOf(new FakeImage(true), engine);
    await settled();
    expect(layer.thumbnailFor(1)).toBe(bitmap);
    Object.assign(engine, { variant: "green" });
    expect(layer.thumbnailFor(1)).toBeNull();
  });

  it("is there when the image has been loaded, and says so once", async () => {
    const image = new FakeImage(false, 0);
    const layer = layerOf(image);
    await settled();
    expect([layer.thumbnailFor(1), loaded.mock.calls.length]).toEqual([null, 0]);
    image.load();
    await settled();
    expect([layer.thumbnailFor(1), loaded.mock.calls.length]).toEqual([bitmap, 1]);
  });

  it("is there soon where the image was loaded before", async () => {
    const layer = layerOf(new FakeImage(true));
    await settled();
    expect(layer.thumbnailFor(1)).toBe(bitmap);
  });

  it("is not there where the image could not be loaded", async () => {
    const layer = layerOf(new FakeImage(true, 0));
    await settled();
    expect([layer.thumbnailFor(1), loaded.mock.calls.length]).toEqual([null, 0]);
  });

  it.each([
    ["of a finer level of its plane", 1, 2, true, true],
    ["of a level of which it would be enlarged 12 times", 0, 2, false, false],
    ["of the coarsest level, where the coarsest tile is here", COARSEST, 2, true, false],
    ["of the coarsest level, where the coarsest tile is not here", COARSEST, 2, false, true],
    ["of another plane, where the coarsest tile is here", 1, 3, true, false],
    ["of another plane, where nothing else is here", 1, 3, false, true],
  ])("lies under a view %s: plane %i, level %i", async (_, wanted, plane, hasCoarsest, shown) => {
    const layer = layerOf(new FakeImage(true), engineOf(plane, hasCoarsest));
    await settled();
    expect(layer.thumbnailFor(wanted)).toBe(shown ? bitmap : null);
  });
});

describe("a base layer that is closed", () => {
  it("releases its picture", async () => {
    const layer = layerOf(new FakeImage(true));
    await settled();
    layer.close();
    expect([layer.thumbnailFor(1), bitmap.close.mock.calls.length]).toEqual([null, 1]);
  });

  it("makes no picture of an image that comes later", async () => {
    const image = new FakeImage(false, 0);
    const make = vi.fn();
    vi.stubGlobal("createImageBitmap", make);
    const layer = layerOf(image);
    layer.close();
    image.load();
    await settled();
    expect(make).not.toHaveBeenCalled();
  });

  it("releases a picture that was being made", async () => {
    vi.stubGlobal("createImageBitmap", () => new Promise((resolve) => (decoded = () => resolve(bitmap))));
    const layer = layerOf(new FakeImage(true));
    await settled();
    layer.close();
    decoded();
    await settled();
    expect([bitmap.close.mock.calls.length, loaded.mock.calls.length]).toEqual([1, 0]);
    expect(layer.thumbnailFor(1)).toBeNull();
  });
});
