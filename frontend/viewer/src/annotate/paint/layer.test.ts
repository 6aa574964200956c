import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Shape, boxed, line, point, polygon } from "@wavescope/core/geometry/shape";
import { FakeMicroscope } from "../../core/testing";
import { FakeFrames } from "../../fakeBrowser";
import { AnnotationStore } from "../store/annotationStore";
import { HandClock, MemoryService } from "../store/testing";
import { AnnotationLayer } from "./layer";
import type { Label } from "./marks";
import type { Matrix } from "./matrix";
import type { Chunk } from "./scene";

vi.mock("openseadragon", async () => (await import("../../core/testing")).fakeOpenSeadragon);

/** Where the slide lies on the canvas of 800 x 600 device pixels. */
const placed = vi.hoisted(() => ({ canvas_x: 0, canvas_y: 0, l0_scale: 1 }));
vi.mock("../../core/placement", () => ({ placementOf: () => placed }));

/** What was drawn last, and how often. */
const painted = vi.hoisted(() => ({
  chunks: [] as readonly Chunk[],
  draws: 0,
  size: [0, 0],
  display: "",
  closed: false,
  erased: new Map<Chunk, Set<string>>(),
}));
vi.mock("./chosenPainter", () => ({
  ChosenPainter: class {
    readonly canvas = {
      style: {
        set display(value: string) {
          painted.display = value;
        },
      },
    };
    readonly kind = "canvas";
    readonly settled = true;
    resize = (...size: number[]): void => void (painted.size = size);
    draw = (chunks: readonly Chunk[]): void => {
      painted.chunks = chunks;
      painted.draws += 1;
    };
    erase = (chunk: Chunk, id: string): void =>
      void painted.erased.set(chunk, (painted.erased.get(chunk) ?? new Set()).add(id));
    forget = (): void => undefined;
    close = (): void => void (painted.closed = true);
  },
}));

interface Outlined {
  readonly shape: Shape;
  readonly color: string;
  readonly strong?: boolean;
}
const marked = vi.hoisted(() => ({
  outlines: [] as readonly Outlined[],
  made: 0,
  handles: [] as readonly object[],
  labels: [] as readonly Label[],
}));
vi.mock("./marks", () => ({
  paintLabels: () => undefined,
  Marks: class {
    readonly root = { remove: () => undefined };
    select = (): void => undefined;
    outline = (outlines: readonly Outlined[]): void => {
      marked.outlines = outlines;
      marked.made += 1;
    };
    update = (_: Matrix, _ratio: number, handles: readonly object[], labels: readonly Label[]): void => {
      Object.assign(marked, { handles, labels });
    };
  },
}));

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };
const square = boxed("rectangle", { minX: 100, minY: 100, maxX: 200, maxY: 200 });
const tiny = boxed("rectangle", { minX: 300, minY: 300, maxX: 310, maxY: 310 });

let frames: FakeFrames;
let microscope: FakeMicroscope;
let isOpen: boolean;
let store: AnnotationStore;
let layer: AnnotationLayer;
beforeEach(async () => {
  frames = new FakeFrames();
  const measures = { mark: vi.fn(), measure: vi.fn(), clearMeasures: vi.fn(), clearMarks: vi.fn() };
  vi.stubGlobal("performance", { now: () => frames.now, ...measures });
  Object.assign(placed, { canvas_x: 0, canvas_y: 0, l0_scale: 1 });
  Object.assign(painted, { chunks: [], draws: 0, closed: false, erased: new Map() });
  Object.assign(marked, { outlines: [], made: 0, handles: [], labels: [] });
  const clock = new HandClock();
  let last = 0;
  const newId = (): string => `id${++last}`;
  store = new AnnotationStore(
    new MemoryService(),
    { read: () => [], write: () => undefined },
    clock,
    () => true,
    newId,
  );
  await clock.tick();
  isOpen = true;
  microscope = Object.assign(new FakeMicroscope(SLIDE), { canvas: { width: 800, height: 600 } });
  Object.assign(microscope.viewer, { isOpen: () => isOpen });
  Object.assign(microscope.viewer.world, { getItemAt: () => null });
  layer = new AnnotationLayer(microscope.microscope, store);
});
afterEach(() => vi.unstubAllGlobals());

/** Draws frames until nothing is asked for any more. */
function drawAll(): void {
  for (let i = 0; i < 50 && frames.asked > 0; i += 1) frames.draw();
}

/** The objects that are drawn. */
function drawn(): string[] {
  drawAll();
  const isThere = (chunk: Chunk, id: string): boolean => !painted.erased.get(chunk)?.has(id);
  return painted.chunks.flatMap((chunk) => [...chunk.spans.keys()].filter((id) => isThere(chunk, id))).sort();
}

function create(shape: Shape, group = "", z = 0): string {
  const id = store.create(shape, z);
  if (group) store.patch([id], { class: group });
  store.select([]);
  return id;
}

const words = (): string[] => (drawAll(), marked.labels.map((label) => label.text));

describe("what is drawn", () => {
  it("is all that the store has, with every change of it", () => {
    const [one, two] = [create(square), create(tiny)];
    expect(drawn()).toEqual([one, two]);
    store.remove([one]);
    expect(drawn()).toEqual([two]);
    store.undo();
    expect(drawn()).toEqual([one, two]);
  });

  it("leaves out hidden classes, and everything where the user has hidden all", () => {
    const [duct, plain] = [create(square, "Duct"), create(tiny)];
    store.set({ hiddenClasses: new Set(["Duct"]) });
    expect(drawn()).toEqual([plain]);
    store.set({ visible: false });
    expect(drawn()).toEqual([]);
    store.set({ visible: true, hiddenClasses: new Set() });
    expect(drawn()).toEqual([duct, plain]);
  });

  it("is only of the plane in view where the user has chosen so, and changes with the plane", () => {
    const [first, third] = [create(square), create(square, "", 2)];
    store.set({ onlyThisPlane: true });
    expect(drawn()).toEqual([first]);
    microscope.setPlane(2);
    expect(drawn()).toEqual([third]);
    store.set({ onlyThisPlane: false });
    expect(drawn()).toEqual([first, third]);
  });

  it("is built anew for another plane, and for nothing else that the microscope reports", () => {
    create(square);
    store.set({ onlyThisPlane: true });
    drawAll();
    const [chunk] = painted.chunks;
    microscope.state.setState({ offline: true, bytes: 1000 });
    drawAll();
    microscope.viewer.frame();
    expect(painted.chunks[0]).toBe(chunk);
  });

  it("is one picture for all changes between two frames", () => {
    drawAll();
    const before = painted.draws;
    store.set({ labels: true });
    store.set({ labels: false });
    frames.draw();
    expect(painted.draws).toBe(before + 1);
  });

  it("costs nothing on a slide without annotations", () => {
    drawAll();
    expect([painted.size, painted.display]).toEqual([[1, 1], "none"]);
    create(square);
    drawAll();
    expect([painted.size, painted.display]).toEqual([[800, 600], ""]);
  });

  it("waits until the slide is open", () => {
    isOpen = false;
    create(square);
    drawAll();
    expect(painted.draws).toBe(0);
    isOpen = true;
    microscope.viewer.frame();
    expect(painted.draws).toBe(1);
  });
});

describe("the selected object", () => {
  it("has an outline in its colour and handles; several have outlines only", () => {
    const [one, two] = [create(square, "Duct"), create(tiny)];
    store.patch([one], { color: [1, 2, 3] });
    store.select([one]);
    drawAll();
    expect(marked.outlines).toEqual([{ shape: square, color: "rgb(1 2 3)" }]);
    expect(marked.handles).toHaveLength(8);
    store.select([one, two]);
    drawAll();
    expect([marked.outlines.length, marked.handles.length]).toEqual([2, 0]);
  });

  it("has no handles where the user may not change it", () => {
    const id = create(square);
    vi.spyOn(store, "mayChange").mockReturnValue(false);
    store.select([id]);
    drawAll();
    expect([marked.outlines.length, marked.handles.length]).toEqual([1, 0]);
  });

  it("is shown as a hand is changing it, and no longer as it was", () => {
    const [one, two] = [create(square), create(tiny)];
    store.select([one]);
    const moved = boxed("rectangle", { minX: 150, minY: 100, maxX: 250, maxY: 200 });
    layer.edit(moved);
    expect(drawn()).toEqual([two]);
    expect(marked.outlines.map(({ shape }) => shape)).toEqual([moved]);
    expect(layer.handles()[0]).toMatchObject({ x: 150, y: 100 });
    layer.edit(null);
    expect(drawn()).toEqual([one, two]);
    expect(marked.outlines.map(({ shape }) => shape)).toEqual([square]);
  });

  it("keeps its outline while only the view moves: it is made anew when something about it changes", () => {
    const id = create(square);
    store.select([id]);
    drawAll();
    const before = marked.made;
    placed.canvas_x = 50;
    microscope.viewer.frame();
    expect(marked.made).toBe(before);
    store.patch([id], { color: [1, 2, 3] });
    drawAll();
    expect(marked.made).toBe(before + 1);
  });
});

describe("what is pointed out", () => {
  it("has a strong outline and a label, also where everything is hidden, and once if it is selected too", () => {
    const id = create(square);
    store.patch([id], { name: "Duct" });
    store.set({ visible: false, pointed: [id] });
    expect(words()[0]).toContain("Duct");
    expect(marked.outlines).toMatchObject([{ shape: square, strong: true }]);
    store.select([id]);
    drawAll();
    expect(marked.outlines).toMatchObject([{ shape: square }]);
    expect(marked.outlines[0]!.strong).toBeUndefined();
  });
});

describe("labels", () => {
  it("lie at texts and measurements; of other objects only where the user has asked for labels", () => {
    const text = create(point("text", 10, 10));
    store.patch([text], { text: "first line\nsecond line" });
    create(line("line", [0, 0, 30, 40]));
    store.patch([create(square)], { name: "Duct" });
    expect(words().sort()).toEqual(["50\u202fpx", "first line"]);
    store.set({ labels: true });
    expect(words().some((label) => label.startsWith("Duct · "))).toBe(true);
  });

  it("are left out where the object is smaller than 24 CSS pixels on the screen, or out of view", () => {
    store.patch([create(tiny)], { name: "Tiny" });
    store.set({ labels: true });
    expect(words()).toEqual([]);
    placed.l0_scale = 2;
    microscope.viewer.frame();
    expect(words()).toEqual([]);
    placed.l0_scale = 4;
    placed.canvas_x = placed.canvas_y = -1000;
    microscope.viewer.frame();
    expect(words()).toHaveLength(1);
    placed.canvas_x = 5000;
    microscope.viewer.frame();
    expect(words()).toEqual([]);
  });

  it("are 120 at most, of 120 characters at most", () => {
    for (let i = 0; i < 130; i += 1) {
      const id = store.create(point("text", i, i), 0);
      store.patch([id], { text: "x".repeat(300) });
    }
    store.select([]);
    expect(words()).toHaveLength(120);
    expect(new Set(words().map((label) => label.length))).toEqual(new Set([120]));
  });

  it("of the selected object are shown though labels are hidden, and follow the hand", () => {
    const id = create(line("line", [0, 0, 30, 40]));
    store.set({ visible: false });
    store.select([id]);
    layer.edit(line("line", [0, 0, 60, 80]));
    expect(words()).toEqual(["100\u202fpx"]);
    expect(marked.labels[0]).toMatchObject({ x: 60, y: 80, strong: true });
  });
});

describe("a shape that is being drawn", () => {
  const drafts: [string, Parameters<typeof store.set>[0]["draft"], Partial<Shape> | null, string[]][] = [
    ["a line", { kind: "line", coordinates: [0, 0], at: [30, 40] }, { parts: [[0, 0, 30, 40]] }, ["50\u202fpx"]],
    [
      "a rectangle, from corner to corner",
      { kind: "rectangle", coordinates: [0, 0], at: [10, 20] },
      { kind: "rectangle", parts: [[0, 0, 10, 0, 10, 20, 0, 20, 0, 0]] },
      ["200\u202fpx², 60\u202fpx"],
    ],
    [
      "an open line, measured as if it were closed, for a polygon",
      { kind: "polygon", coordinates: [0, 0, 10, 0], at: [10, 20] },
      { kind: "line", parts: [[0, 0, 10, 0, 10, 20]] },
      ["100\u202fpx², 52.36\u202fpx"],
    ],
    [
      "a line for the first side of an angle",
      { kind: "angle", coordinates: [0, 0], at: [5, 0] },
      { kind: "line" },
      ["5\u202fpx"],
    ],
    [
      "nothing yet after the first point of a freehand line",
      { kind: "freehand", coordinates: [0, 0], at: [5, 0] },
      null,
      [],
    ],
  ];

  it.each(drafts)("is shown as %s", (_, draft, shape, labels) => {
    store.set({ draft });
    expect(words()).toEqual(labels);
    expect(marked.outlines.map((one) => one.shape)).toMatchObject(shape ? [shape] : []);
  });
});

it("places a point of the viewer on the slide, and knows the size of a CSS pixel there", () => {
  Object.assign(placed, { canvas_x: 40, canvas_y: -20, l0_scale: 0.5 });
  expect(layer.slidePoint({ x: 50, y: 30 })).toEqual({ x: 20, y: 100, pixel: 2 });
});

it("is settled when every object is in the picture", () => {
  create(square);
  expect(layer.settled).toBe(false);
  drawAll();
  expect(layer.settled).toBe(true);
});

it("draws nothing once it is closed, and leaves no handler behind", () => {
  store.set({ labels: true });
  layer.close();
  const before = painted.draws;
  store.set({ visible: false });
  microscope.setPlane(3);
  microscope.viewer.frame();
  expect([painted.closed, microscope.viewer.handlerCount]).toEqual([true, 0]);
  drawAll();
  expect(painted.draws).toBe(before);
});

it("finds the shown objects that lie wholly in a rectangle of the screen", () => {
  const [whole, cut] = [create(square), create(boxed("rectangle", { minX: 150, minY: 150, maxX: 400, maxY: 200 }))];
  const hidden = create(square, "Duct");
  store.set({ hiddenClasses: new Set(["Duct"]) });
  const area = { x: 50, y: 50, width: 200, height: 200 };
  expect(layer.within(area)).toEqual([whole]);
  store.set({ hiddenClasses: new Set() });
  expect(layer.within({ ...area, width: 400 }).sort()).toEqual([whole, cut, hidden].sort());
});

it("gives long edges of the selected polygon handles for new corners, which a hand that reshapes it does not see", () => {
  const id = create(polygon("polygon", [0, 0, 400, 0, 400, 20]));
  store.select([id]);
  expect(layer.handles()).toHaveLength(5);
  layer.edit(store.get(id)!.shape);
  expect(layer.handles()).toHaveLength(3);
});

it("labels the selected text with the words that are being typed", () => {
  const id = create(point("text", 100, 100));
  store.select([id]);
  store.type(id, { text: "look he" });
  expect(words()).toEqual(["look he"]);
  store.set({ typed: null });
  expect(words()).toEqual([""]);
});
