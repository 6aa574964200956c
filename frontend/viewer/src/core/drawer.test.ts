import { beforeEach, describe, expect, it, vi } from "vitest";
import { TILE } from "@wavescope/core/geometry/pyramid";
import { TileHandle } from "@wavescope/core/tiles/handle";
import { stub } from "@wavescope/core/stub";
import { ExactDrawer } from "./drawer";

/** What was drawn, in order: [level/x/y of the picture, where from, where to], and by whom. */
const done = vi.hoisted(() => [] as unknown[][]);
const view = vi.hoisted(() => ({ rotation: 0, flip: false, width: 256, height: 256 }));
const canvas = vi.hoisted(() => ({ width: 0, height: 0, sets: 0 }));
const context = vi.hoisted(() => ({
  imageSmoothingEnabled: true,
  imageSmoothingQuality: "low",
  resetTransform: () => undefined,
  clearRect: () => undefined,
  transform: [] as number[],
  setTransform: (...matrix: number[]): void => void (context.transform = matrix),
  drawImage: ({ name }: { name: string }, ...rect: number[]): void =>
    void done.push([name, ...rect, context.imageSmoothingEnabled ? "smooth" : "sharp"]),
}));
vi.mock("openseadragon", async () => {
  const { default: parts } = (await import("./testing")).fakeOpenSeadragon;
  class DrawerBase {
    readonly canvas = {
      getContext: () => context,
      get width() {
        return canvas.width;
      },
      set width(width: number) {
        Object.assign(canvas, { width, sets: canvas.sets + 1 });
      },
      get height() {
        return canvas.height;
      },
      set height(height: number) {
        Object.assign(canvas, { height, sets: canvas.sets + 1 });
      },
    };
    readonly viewport = {
      getContainerSize: () => ({ x: view.width, y: view.height }),
      getRotation: () => view.rotation,
      getFlip: () => view.flip,
    };
    getDataToDraw = ({ handle }: { handle: TileHandle | undefined }): TileHandle | undefined => handle;
  }
  return { default: { ...parts, DrawerBase } };
});
const placed = vi.hoisted(() => ({ canvas_x: 0, canvas_y: 0, l0_scale: 0.5 }));
vi.mock("./placement", () => ({ placementOf: () => placed }));
vi.mock("./tileCompositor", () => ({
  TileCompositor: class {
    draw = (_c: unknown, _v: unknown, _p: unknown, _s: number, level: number, handles: TileHandle[]): void =>
      void done.push(["composed", level, ...handles.map(({ key }) => key)]);
  },
}));
vi.mock("./damageMarks", () => ({
  DamageMarks: class {
    drawMark = (_: unknown, overPicture: boolean): void => void done.push(["mark", overPicture]);
    drawStandIn = (handle: TileHandle, _: unknown, levels: number, ancestor: (up: number) => TileHandle | null): void =>
      void done.push(["stand-in", handle.key, ...Array.from({ length: levels }, (_up, i) => ancestor(i + 1)?.key)]);
  },
}));

/** A slide of 1024 x 1024: level 2 is one tile, level 1 has 2 x 2, level 0 has 4 x 4. */
const SIDE = 1024;

class FakeSource {
  readonly dimensions = { x: SIDE, y: SIDE };
  readonly tiles = new Map<string, TileHandle>();
  readonly baseLayer = { coarsest: pictured(2, 0, 0), thumbnailFor: (): object | null => this.thumbnail };
  thumbnail: object | null = null;
  pictured = (level: number, x: number, y: number): TileHandle | null => {
    const handle = this.tiles.get(`${level}/${x}/${y}`);
    return handle?.picture ? handle : null;
  };
}

function pictured(level: number, x: number, y: number): TileHandle {
  const handle = new TileHandle(level, x, y, { width: TILE, height: TILE });
  const bitmap = { name: handle.key, width: TILE, height: TILE, close: () => undefined };
  handle.show({ bitmap: stub<ImageBitmap>(bitmap), z: 0, layers: 1 });
  return handle;
}

let source: FakeSource;
let drawer: ExactDrawer;
beforeEach(() => {
  done.length = 0;
  Object.assign(view, { rotation: 0, flip: false, width: 256, height: 256 });
  Object.assign(placed, { canvas_x: 0, canvas_y: 0, l0_scale: 0.5 });
  Object.assign(canvas, { width: 0, height: 0, sets: 0 });
  source = new FakeSource();
  drawer = new (ExactDrawer as object as new () => ExactDrawer)();
});

/** Adds tiles with their pictures to the slide. */
function add(...tiles: [number, number, number][]): TileHandle[] {
  const handles = tiles.map((tile) => pictured(...tile));
  for (const handle of handles) source.tiles.set(handle.key, handle);
  return handles;
}

/** Draws a frame for which OpenSeadragon lists these tiles; what was drawn. */
function draw(...handles: (TileHandle | undefined)[]): unknown[][] {
  done.length = 0;
  const image = { source, getTilesToDraw: () => handles.map((handle) => ({ tile: { handle } })) };
  drawer.draw([image] as object[] as Parameters<ExactDrawer["draw"]>[0]);
  return done;
}

/** The names of the pictures that were drawn. */
const names = (drawn: unknown[][]): unknown[] => drawn.map(([name]) => name);

describe("a view that the tiles of its level cover", () => {
  it("has these tiles, pixel for pixel and unfiltered, over hairs of the coarsest tile and nothing else", () => {
    const [tile] = add([1, 0, 0], [0, 0, 0], [0, 1, 1]);
    source.thumbnail = { name: "thumbnail" };
    expect(draw(tile)).toEqual([
      ["2/0/0", 0, 0, 256, 256, 0, 0, 512, 512, "sharp"],
      ["1/0/0", 0, 0, 256, 256, 0, 0, 256, 256, "sharp"],
    ]);
  });

  it("has all of them, also those that OpenSeadragon leaves out, each once and row by row", () => {
    Object.assign(view, { width: 512, height: 512 });
    const tiles = add([1, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0]);
    expect(names(draw(tiles[0], tiles[3])).slice(1)).toEqual(["1/0/0", "1/1/0", "1/0/1", "1/1/1"]);
  });

  it("has finer tiles over them, coarse before fine", () => {
    const [tile, finer] = add([1, 0, 0], [0, 1, 0]);
    expect(names(draw(finer, undefined, tile))).toEqual(["2/0/0", "1/0/0", "0/1/0"]);
  });
});

describe("a view of which tiles are missing", () => {
  it("has the finest level that covers it below what is there of finer ones", () => {
    placed.l0_scale = 1;
    const [, , finer] = add([1, 0, 0], [2, 0, 0], [0, 1, 0]);
    placed.canvas_x = -128;
    expect(draw(finer).map((one) => one.slice(0, 3))).toEqual([
      ["2/0/0", 0, 0],
      ["composed", 1, "1/0/0"],
      ["0/1/0", 0, 0],
    ]);
  });

  it("has the thumbnail over a level that shows less, though its tiles cover the field, and under a finer one", () => {
    placed.l0_scale = 1;
    source.thumbnail = { name: "thumbnail" };
    add([1, 0, 0]);
    const [finer] = add([0, 1, 0]);
    view.width = 512;
    expect(draw(finer).map(([name]) => name)).toEqual(["2/0/0", "composed", "thumbnail", "0/1/0"]);
    add([0, 0, 0]);
    expect(draw(finer).map(([name]) => name)).not.toContain("thumbnail");
  });

  it("has the coarsest tile where nothing else covers it, and the thumbnail, which shows more, over it", () => {
    source.thumbnail = { name: "thumbnail" };
    const [tile] = add([1, 1, 0]);
    placed.canvas_x = -128;
    expect(draw(tile).map((one) => one.slice(0, 3))).toEqual([
      ["composed", 2, "2/0/0"],
      ["thumbnail", -128, 0],
      ["1/1/0", 0, 0],
    ]);
    expect(done[1]!.at(-1)).toBe("smooth");
  });

  it("draws nothing, and does not fail, where not even the coarsest tile is here", () => {
    source.baseLayer.coarsest.show(null);
    placed.l0_scale = 0.25;
    expect(draw()).toEqual([]);
  });
});

describe("tiles whose edges lie within a device pixel", () => {
  /** Level 1 at 0.9 device pixels per pixel: a tile ends at 230.4. */
  const fractional = (): void => void (placed.l0_scale = 0.45);

  it("reach to the end of that pixel where a neighbour goes on, so that nothing shines through", () => {
    fractional();
    const tiles = add([1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]);
    const drawn = draw(...tiles).filter(([name]) => name === "1/0/0");
    expect(drawn).toHaveLength(3);
    const [right, below, whole] = drawn.map((one) => one.slice(5, 9) as number[]);
    expect(right![0]! + right![2]!).toBeCloseTo(231);
    expect(below![1]! + below![3]!).toBeCloseTo(231);
    expect(whole![2]).toBeCloseTo(230.4);
  });

  it("end where they end where no neighbour is drawn: at the edge of the slide, or beside a hole", () => {
    fractional();
    Object.assign(view, { width: 400, height: 400 });
    const [tile] = add([1, 0, 0]);
    expect(draw(tile).filter(([name]) => name === "1/0/0")).toHaveLength(1);
  });

  it("are smoothed, as tiles of a slanted slide are, which reach two pixels further", () => {
    Object.assign(view, { width: 100, height: 100, rotation: 30 });
    const tiles = add([1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]);
    const [right, , whole] = draw(...tiles).filter(([name]) => name === "1/0/0");
    expect((right![5] as number) + (right![7] as number)).toBe(258);
    expect(whole!.at(-1)).toBe("smooth");
  });

  it("have no seam at right angles and whole pixels", () => {
    view.rotation = 90;
    Object.assign(view, { width: 512, height: 512 });
    const tiles = add([1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]);
    expect(draw(...tiles).filter(([name]) => name === "1/0/0")).toMatchObject([{ 9: "sharp" }]);
  });
});

describe("damaged tiles", () => {
  it("are marked over their picture, or over a stand-in from their ancestors, after everything else", () => {
    const [tile, worse] = add([1, 0, 0], [0, 3, 2]) as [TileHandle, TileHandle];
    tile.damage = "checksum";
    worse.damage = "checksum";
    worse.show(null);
    add([1, 1, 1]);
    expect(draw(tile, worse).slice(2)).toEqual([
      ["mark", true],
      ["stand-in", "0/3/2", "1/1/1", undefined],
      ["mark", false],
    ]);
  });
});

describe("the canvas", () => {
  it("has the size of the viewer, and is not cleared by setting it again", () => {
    view.width = 320.4;
    draw();
    expect([canvas.width, canvas.height, canvas.sets]).toEqual([320, 256, 2]);
    draw();
    expect(canvas.sets).toBe(2);
  });

  it("is turned and mirrored as the view is", () => {
    Object.assign(view, { rotation: 90, flip: true });
    draw();
    expect(context.transform.map((value) => value + 0)).toEqual([0, 1, 1, 0, 0, 0]);
  });
});
