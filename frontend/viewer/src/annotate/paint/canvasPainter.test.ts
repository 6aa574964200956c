import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boxed } from "@wavescope/core/geometry/shape";
import { stub } from "@wavescope/core/stub";
import { FakeFrames } from "../../fakeBrowser";
import { CanvasPainter } from "./canvasPainter";
import type { Matrix } from "./matrix";
import { type Chunk, buildChunks } from "./scene";

const VIEW = { width: 100, height: 60 };
/** One level-0 pixel is one device pixel; the slide's corner lies at e, f. */
const at = (e: number, f: number, scale = 1): Matrix => ({ a: scale, b: 0, c: 0, d: scale, e, f });
const RED = 0xff0000ff;

/** A canvas that keeps the last picture put into it, and counts them. */
class FakeCanvas {
  width = 300;
  height = 150;
  pictures = 0;
  picture: Uint32Array = new Uint32Array();
  removed = false;
  readonly style: Record<string, string> = {};
  getContext = () => ({
    putImageData: ({ data }: { data: Uint8ClampedArray }) => {
      this.pictures += 1;
      this.picture = new Uint32Array(data.slice().buffer);
    },
  });
  remove = (): void => void (this.removed = true);
}

function chunksOf(...boxes: [number, number, number, number][]): Chunk[] {
  const drawables = boxes.map(([minX, minY, maxX, maxY], i) => {
    return { id: `id${i}`, shape: boxed("rectangle", { minX, minY, maxX, maxY }), color: RED };
  });
  const steps = buildChunks(drawables);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

let frames: FakeFrames;
let canvas: FakeCanvas;
let painter: CanvasPainter;
let chunks: Chunk[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  frames = new FakeFrames();
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      constructor(
        readonly width: number,
        readonly height: number,
      ) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  );
  canvas = new FakeCanvas();
  painter = new CanvasPainter(stub<HTMLCanvasElement>(canvas));
  painter.resize(VIEW.width, VIEW.height);
  chunks = chunksOf([10, 10, 60, 50]);
});
afterEach(() => {
  painter.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Draws frames until nothing is asked for any more. */
function drawAll(): void {
  for (let i = 0; i < 20 && frames.asked > 0; i += 1) frames.draw();
}

/** The colour at a device pixel of the view, where the picture lies now. */
function colourAt(x: number, y: number): number {
  const [, , , , e, f] = canvas.style.transform!.match(/-?[\d.]+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [left, top] = [parseFloat(canvas.style.left!), parseFloat(canvas.style.top!)];
  return canvas.picture[(y - top - f) * canvas.width + (x - left - e)]!;
}

describe("the picture of the annotations", () => {
  it("is drawn in the frames after the view, where the slide has them", () => {
    painter.draw(chunks, at(0, 0), 1);
    expect([canvas.pictures, painter.settled]).toEqual([0, false]);
    drawAll();
    expect([canvas.pictures, painter.settled]).toEqual([1, true]);
    expect([colourAt(10, 30), colourAt(35, 30), colourAt(80, 30)]).toEqual([RED, 0, 0]);
  });

  it("is larger than the view, so that the view may move a little without another one", () => {
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    expect([canvas.width, canvas.height]).toEqual([160, 96]);
    painter.draw(chunks, at(-8, 4), 1);
    drawAll();
    expect(canvas.pictures).toBe(1);
    expect(colourAt(2, 34)).toBe(RED);
  });

  it("lies on whole pixels where it is only shifted", () => {
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    painter.draw(chunks, at(3.4, -2.6), 1);
    expect(canvas.style.transform).toBe("matrix(1, 0, 0, 1, 3, -3)");
  });

  it("is stretched as the view is until the view rests, and then drawn anew", () => {
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    painter.draw(chunks, at(0, 0, 1.05), 1);
    drawAll();
    expect([canvas.pictures, canvas.style.transform]).toEqual([1, "matrix(1.05, 0, 0, 1.05, 0, 0)"]);
    expect(painter.settled).toBe(false);
    vi.advanceTimersByTime(120);
    drawAll();
    expect([canvas.pictures, canvas.style.transform, painter.settled]).toEqual([2, "matrix(1, 0, 0, 1, 0, 0)", true]);
  });

  it("is drawn anew before a moving view comes to its end", () => {
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    for (let x = 5; x <= 45; x += 5) {
      painter.draw(chunks, at(-x, 0), 1);
      drawAll();
    }
    expect(canvas.pictures).toBeGreaterThan(1);
    expect(colourAt(15, 30)).toBe(RED); // the right side of the rectangle, at 60 - 45
  });

  it("is drawn anew for other objects and for another size, and not for the same once more", () => {
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    painter.draw([...chunks], at(0, 0), 1);
    drawAll();
    expect(canvas.pictures).toBe(1);
    painter.draw(chunksOf([20, 10, 60, 50]), at(0, 0), 1);
    drawAll();
    expect([canvas.pictures, colourAt(10, 30), colourAt(20, 30)]).toEqual([2, 0, RED]);
    painter.resize(200, 60);
    expect([canvas.width, canvas.height]).toEqual([1, 1]);
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    expect([canvas.pictures, canvas.width]).toEqual([3, 320]);
  });

  it("loses an object that is erased, though its chunk is the same", () => {
    chunks = chunksOf([10, 10, 60, 50], [20, 20, 62, 48]);
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    expect([colourAt(10, 30), colourAt(20, 30)]).toEqual([RED, RED]);
    painter.erase(chunks[0]!, "id1");
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    expect([colourAt(10, 30), colourAt(20, 30)]).toEqual([RED, 0]);
  });

  it("is measured in CSS pixels on the page: half of the device pixels of a fine screen", () => {
    painter.draw(chunks, at(0, 0), 2);
    drawAll();
    expect(canvas.style).toMatchObject({ left: "-15px", top: "-9px", width: "80px", height: "48px" });
    painter.draw(chunks, at(10, -6), 2);
    expect(canvas.style.transform).toBe("matrix(1, 0, 0, 1, 5, -3)");
  });
});

describe("finishing", () => {
  it("draws what was asked for last at once, without a frame", () => {
    painter.draw(chunks, at(0, 0), 1);
    painter.draw(chunks, at(5, 0), 1);
    painter.finish();
    expect(canvas.pictures).toBe(1);
    expect(colourAt(15, 30)).toBe(RED);
  });

  it("draws nothing where the picture is exact already, or nothing was asked for", () => {
    painter.finish();
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    painter.finish();
    expect(canvas.pictures).toBe(1);
  });
});

describe("a copy of the view", () => {
  it("has the picture where it lies in the view, also where it is shifted", () => {
    const pen = { save: vi.fn(), restore: vi.fn(), transform: vi.fn(), drawImage: vi.fn() };
    painter.copyTo(stub<CanvasRenderingContext2D>(pen));
    expect(pen.drawImage).not.toHaveBeenCalled();
    painter.draw(chunks, at(0, 0), 1);
    drawAll();
    painter.draw(chunks, at(-4, 2), 1);
    painter.copyTo(stub<CanvasRenderingContext2D>(pen));
    expect(pen.transform.mock.calls).toEqual([[1, 0, 0, 1, -4, 2]]);
    expect(pen.drawImage.mock.calls).toEqual([[canvas, -30, -18]]);
  });
});

it("nothing is drawn once it is closed", () => {
  painter.draw(chunks, at(0, 0), 1);
  painter.draw(chunks, at(1, 0), 1);
  painter.close();
  expect([frames.asked, vi.getTimerCount(), canvas.removed]).toEqual([0, 0, true]);
});
