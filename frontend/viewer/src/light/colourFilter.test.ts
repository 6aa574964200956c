import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stub } from "@wavescope/core/stub";
import { openDocument } from "../fakeBrowser";
import { plain } from "./adjustments";
import { CpuColourFilter } from "./colourFilter";

/** A canvas of one colour, with the calls that change it. */
class FakeCanvas {
  width = 300;
  height = 150;
  removed = false;
  readonly drawn: number[][] = [];
  put: number[] = [];
  globalCompositeOperation = "source-over";
  getContext = () => this;
  remove = (): void => void (this.removed = true);
  drawImage = (_: unknown, ...rect: number[]): void => void this.drawn.push(rect);
  getImageData = () => ({ data: Uint8ClampedArray.of(100, 150, 200, 255, 0, 0, 0, 0) });
  putImageData = ({ data }: { data: Uint8ClampedArray }): void => void (this.put = [...data]);
}

let canvas: FakeCanvas;
let filter: CpuColourFilter;
beforeEach(() => {
  canvas = new FakeCanvas();
  openDocument(() => canvas);
  filter = new CpuColourFilter();
});
afterEach(() => vi.unstubAllGlobals());

const source = (width: number, height: number) => stub<HTMLCanvasElement>({ width, height });

describe("the colour filter of the processor", () => {
  it("shows nothing before it has been set", () => {
    filter.show(source(800, 600), false);
    expect([canvas.drawn, canvas.put]).toEqual([[], []]);
  });

  it("changes colours and not the alpha", () => {
    filter.set(null, { ...plain, saturation: 0 });
    filter.show(source(800, 600), false);
    const [red, green, blue, alpha] = canvas.put as [number, number, number, number];
    expect([green - red, blue - red, alpha, canvas.put[7]]).toEqual([0, 0, 255, 0]);
    expect(red).toBeGreaterThan(100);
    expect(red).toBeLessThan(200);
  });

  it("SN4 SN9: makes the view of a stage exactly, and adjusts it after that", () => {
    const stage = {
      name: "",
      shader: "",
      bind: () => undefined,
      apply: (rgba: Uint8ClampedArray) => rgba.set([9, 8, 7]),
    };
    filter.set(null, plain, stage);
    filter.show(source(800, 600), false);
    expect(canvas.put).toEqual([9, 8, 7, 255, 0, 0, 0, 0]);
    filter.set(null, { ...plain, brightness: 1 }, stage);
    filter.show(source(800, 600), false);
    expect(canvas.put).toEqual([255, 255, 255, 255, 0, 0, 0, 0]);
  });

  it("shows the colours as they are where nothing is adjusted", () => {
    filter.set(null, plain);
    filter.show(source(800, 600), false);
    for (const [i, value] of [100, 150, 200, 255].entries()) expect(Math.abs(canvas.put[i]! - value)).toBeLessThan(2);
  });

  it("has all pixels of the view at rest, and a quarter of them while it moves; odd sizes are rounded up", () => {
    filter.set(null, plain);
    filter.show(source(801, 601), false);
    expect([canvas.width, canvas.height]).toEqual([801, 601]);
    filter.show(source(801, 601), true);
    expect([canvas.width, canvas.height]).toEqual([401, 301]);
    expect(canvas.drawn).toEqual([
      [0, 0, 801, 601],
      [0, 0, 401, 301],
    ]);
  });

  it.each([
    [0, 600],
    [800, 0],
  ])("waits while the view is %i x %i pixels", (width, height) => {
    filter.set(null, plain);
    filter.show(source(width, height), false);
    expect(canvas.drawn).toEqual([]);
  });

  it("releases its memory when it is closed", () => {
    filter.close();
    expect([canvas.width, canvas.height, canvas.removed]).toEqual([1, 1, true]);
  });
});
