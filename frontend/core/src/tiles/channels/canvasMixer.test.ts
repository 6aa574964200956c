import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { MixKernel } from "../../codec/mixKernel";
import type { TileImage } from "../pictures";
import { CanvasMixer } from "./canvasMixer";
import { fakeCanvas } from "./testing";

const WASM = new URL("../../../../../shared/kernel/build/kernel.wasm", import.meta.url);
const kernel = await MixKernel.load(readFileSync(WASM));

describe("pictures on the processor", () => {
  beforeEach(fakeCanvas);

  it("have the canvas of a picture of their size that was closed long ago, never that of an open one", () => {
    const mixer = new CanvasMixer({ least: 0, most: 255 }, kernel);
    const [whole, edge] = [mixer.begin({ width: 4, height: 2 }), mixer.begin({ width: 3, height: 2 })];
    const open = whole.picture();
    const closed = new Set<TileImage>([edge.picture(), ...Array.from({ length: 70 }, () => whole.picture())]);
    for (const picture of closed) picture.close();
    expect(closed).not.toContain(open);
    const again = Array.from({ length: 10 }, () => whole.picture());
    expect(again.slice(0, 6)).toEqual([...closed].slice(1, 7));
    expect(again.filter((picture) => closed.has(picture))).toHaveLength(6); // the others rest
  });

  it("keep a bounded number of free canvases, and count them", () => {
    const mixer = new CanvasMixer({ least: 0, most: 255 }, kernel);
    const sum = mixer.begin({ width: 4, height: 2 });
    const { bytes } = mixer;
    const pictures = Array.from({ length: 300 }, () => sum.picture());
    for (const picture of pictures.slice(0, 3)) picture.close();
    expect(mixer.bytes - bytes).toBe(3 * 4 * 4 * 2);
    for (const picture of pictures.slice(3)) picture.close();
    expect(mixer.bytes - bytes).toBe(128 * 4 * 4 * 2);
    mixer.close();
    expect(mixer.bytes).toBe(bytes);
  });
});
