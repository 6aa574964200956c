import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Kind, type Shape, boxed, line, point } from "@wavescope/core/geometry/shape";
import { stub } from "@wavescope/core/stub";
import { FakeMicroscope } from "../core/testing";
import { handlesOf } from "./draw/editing";
import { AnnotationInteraction } from "./interaction";
import type { AnnotationLayer } from "./paint/layer";
import { AnnotationStore } from "./store/annotationStore";
import { HandClock, MemoryService } from "./store/testing";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 5, mpp: null, planeSpacingUm: null };
const square = boxed("rectangle", { minX: 100, minY: 100, maxX: 200, maxY: 200 });

/** A layer at which one CSS pixel is two level-0 pixels; the corner of the viewer is the slide's. */
class FakeLayer {
  readonly edits: (Shape | null)[] = [];
  seen = true;

  constructor(
    readonly microscope: FakeMicroscope,
    private readonly current: () => AnnotationStore,
  ) {}

  slidePoint = ({ x, y }: { x: number; y: number }) => ({ x: 2 * x, y: 2 * y, pixel: 2 });
  readonly areas: unknown[] = [];
  readonly marks = { select: (area: unknown): void => void this.areas.push(area) };
  within = (): string[] => ["id1", "id2"];
  isSeen = (): boolean => this.seen;
  edit = (shape: Shape | null): void => void this.edits.push(shape);

  handles() {
    const { selected } = this.current().state.getState();
    const content = selected.length === 1 ? this.current().get(selected[0]!) : null;
    return content && this.current().mayChange(selected[0]!) ? handlesOf(content.shape) : [];
  }
}

let microscope: FakeMicroscope;
let layer: FakeLayer;
let store: AnnotationStore;
let interaction: AnnotationInteraction;
let keys: EventTarget;
let enlarged: (readonly [number, number] | null)[];
const loupe = {
  show: ({ x, y }: { readonly x: number; readonly y: number }) => void enlarged.push([x, y]),
  hide: () => void enlarged.push(null),
};
beforeEach(async () => {
  enlarged = [];
  keys = new EventTarget();
  vi.stubGlobal("addEventListener", keys.addEventListener.bind(keys));
  vi.stubGlobal("removeEventListener", keys.removeEventListener.bind(keys));
  vi.stubGlobal("document", { body: "body" });
  await open();
});
afterEach(() => {
  interaction.close();
  vi.unstubAllGlobals();
});

async function open(editable = true): Promise<void> {
  const clock = new HandClock();
  const service = new MemoryService();
  service.editable = editable;
  let last = 0;
  const outbox = { read: () => [], write: () => undefined };
  store = new AnnotationStore(
    service,
    outbox,
    clock,
    () => true,
    () => `id${++last}`,
    editable,
  );
  await clock.tick();
  microscope = new FakeMicroscope(SLIDE);
  layer = new FakeLayer(microscope, () => store);
  interaction = new AnnotationInteraction(stub<AnnotationLayer>(layer), store, loupe);
}

const state = () => store.state.getState();
const shapeOf = (id: string): Shape => store.get(id)!.shape;
const shapes = (): Shape[] => [...store.index.all()].map(([, { shape }]) => shape);

interface Modifiers {
  readonly shiftKey?: boolean;
  readonly altKey?: boolean;
  readonly pointerType?: string;
}

/** An event of the viewer at a level-0 point; whether it was taken from the viewer. */
function raise(name: string, x: number, y: number, modifiers: Modifiers = {}): boolean {
  const originalEvent = { shiftKey: false, altKey: false, pointerType: "mouse", ...modifiers };
  const event = { position: { x: x / 2, y: y / 2 }, originalEvent, preventDefaultAction: false };
  microscope.viewer.raiseEvent(`canvas-${name}`, event);
  return event.preventDefaultAction;
}

/** Press, drag over these points, release at the last one; what was taken from the viewer. */
function drag(points: readonly (readonly [number, number])[], modifiers: Modifiers = {}): boolean[] {
  const [first, ...rest] = points;
  raise("press", ...first!, modifiers);
  const taken = rest.map((at) => raise("drag", ...at, modifiers));
  const end = points[points.length - 1]!;
  return [...taken, raise("drag-end", ...end, modifiers), (raise("release", ...end, modifiers), false)].slice(0, -1);
}

function click(x: number, y: number, modifiers: Modifiers = {}): boolean {
  raise("press", x, y, modifiers);
  raise("release", x, y, modifiers);
  return raise("click", x, y, modifiers);
}

function draw(tool: Kind, keepTool = false): void {
  store.set({ tool, keepTool });
}

describe("drawing by dragging", () => {
  it("makes the shape on the plane in view, selects it, and puts the tool down", () => {
    microscope.setPlane(3);
    draw("rectangle");
    expect(
      drag([
        [100, 100],
        [150, 180],
        [200, 200],
      ]),
    ).toEqual([true, true, true]);
    const id = state().selected[0]!;
    expect([shapeOf(id), store.get(id)!.z]).toEqual([square, 3]);
    expect(state()).toMatchObject({ tool: null, draft: null, count: 1 });
  });

  it("leaves the tool active where the user has chosen so", () => {
    draw("line", true);
    drag([
      [0, 0],
      [50, 50],
    ]);
    drag([
      [100, 0],
      [150, 50],
    ]);
    expect(state()).toMatchObject({ tool: "line", count: 2 });
  });

  it("makes a square with Shift", () => {
    draw("rectangle");
    drag(
      [
        [100, 100],
        [140, 200],
      ],
      { shiftKey: true },
    );
    expect(shapes()).toEqual([square]);
  });

  it("ignores a slip of the hand; a finger may slip further than a mouse", () => {
    const slip = [
      [100, 100],
      [116, 116],
    ] as const;
    draw("rectangle");
    drag(slip, { pointerType: "touch" });
    expect(state().count).toBe(0);
    drag(slip);
    expect(state().count).toBe(1);
  });

  it("is given up when a second finger moves the view", () => {
    draw("rectangle");
    raise("press", 100, 100);
    raise("drag", 150, 150);
    expect(state().draft).not.toBeNull();
    raise("pinch", 150, 150);
    raise("release", 200, 200);
    expect(state()).toMatchObject({ draft: null, count: 0, tool: "rectangle" });
  });
});

describe("drawing by clicks", () => {
  it("leaves dragging to the viewer, which moves the view", () => {
    draw("polygon");
    expect(
      drag([
        [100, 100],
        [300, 300],
      ]),
    ).toEqual([false, false]);
    expect(state().draft).toBeNull();
  });

  it("adds a corner by each click, follows the pointer, and ends by a double click", () => {
    draw("polygon");
    for (const [x, y] of [
      [100, 100],
      [300, 100],
      [300, 300],
    ])
      click(x!, y!);
    microscope.viewer.canvas.dispatchEvent(Object.assign(new Event("pointermove"), { clientX: 150, clientY: 100 }));
    expect(state().draft).toMatchObject({ coordinates: [100, 100, 300, 100, 300, 300], at: [100, 100] });
    expect(raise("double-click", 300, 300)).toBe(true);
    expect(shapes()).toMatchObject([{ kind: "polygon", parts: [[100, 100, 300, 100, 300, 300, 100, 100]] }]);
  });

  it("asks for the words of a text as soon as it is there", () => {
    draw("text");
    click(40, 60);
    expect(state().untitledTextId).toBe(state().selected[0]);
    expect(shapes()).toEqual([point("text", 40, 60)]);
  });
});

describe("drawing by keys, at the centre of the view", () => {
  it("puts corners down, takes the last one back, and finishes", () => {
    draw("line");
    interaction.key("place");
    expect(state().draft).toMatchObject({ coordinates: [800, 600] });
    layer.slidePoint = ({ x, y }) => ({ x: 2 * x + 100, y: 2 * y, pixel: 2 }); // the view was moved
    interaction.key("place");
    expect(shapes()).toEqual([line("line", [800, 600, 900, 600])]);
  });

  it("gives a shape up by the first key, and does nothing without a tool", () => {
    draw("polygon");
    interaction.key("place");
    interaction.key("cancel");
    expect(state()).toMatchObject({ draft: null, tool: "polygon" });
    store.set({ tool: null });
    interaction.key("place");
    expect(state()).toMatchObject({ draft: null, count: 0 });
  });
});

describe("selecting", () => {
  let ids: string[];
  beforeEach(() => {
    ids = [store.create(square, 0), store.create(point("point", 600, 600), 0)];
    store.select([]);
  });

  it("takes what is under the pointer, within its reach, and nothing beside it", () => {
    click(150, 110);
    expect(state().selected).toEqual([ids[0]]);
    click(610, 600);
    expect(state().selected).toEqual([ids[1]]);
    click(400, 400);
    expect(state().selected).toEqual([]);
  });

  it("adds and removes with Shift, and a click beside everything then changes nothing", () => {
    click(150, 100);
    click(600, 600, { shiftKey: true });
    expect(state().selected).toEqual(ids);
    click(150, 100, { shiftKey: true });
    click(400, 400, { shiftKey: true });
    expect(state().selected).toEqual([ids[1]]);
  });

  it("ignores what is not seen", () => {
    layer.seen = false;
    click(150, 100);
    expect(state().selected).toEqual([]);
  });

  it("is not done by a drag: the view was moved", () => {
    expect(
      drag([
        [150, 100],
        [170, 100],
      ]),
    ).toEqual([false, false]);
    expect(state().selected).toEqual([]);
  });
});

describe("Shift and a drag", () => {
  it("adds what lies in the rectangle to the selection, and shows it on the way", () => {
    store.create(square, 0);
    const far = [store.create(square, 0), store.create(point("point", 600, 600), 0)][1]!;
    store.select([far]);
    expect(
      drag(
        [
          [400, 20],
          [300, 220],
          [50, 250],
        ],
        { shiftKey: true },
      ),
    ).toEqual([true, true, true]);
    expect(state().selected).toEqual([far, "id1", "id2"]);
    expect(layer.areas).toEqual([
      { x: 150, y: 10, width: 50, height: 100 },
      { x: 25, y: 10, width: 175, height: 115 },
      null,
    ]);
  });
});

describe("the space bar", () => {
  /** Whether the page took the key for itself. */
  function press(type: "keydown" | "keyup" | "focusin", target: unknown): boolean {
    const event = Object.assign(new Event(type, { cancelable: true }), { key: " ", repeat: false });
    Object.defineProperty(event, "target", { value: target });
    keys.dispatchEvent(event);
    return event.defaultPrevented;
  }
  const button = (focusVisible: boolean) => ({ matches: () => focusVisible });
  let hovered: boolean;
  beforeEach(() => {
    hovered = true;
    Object.assign(microscope.viewer.element, { contains: () => false, matches: () => hovered });
  });

  it("lends the hand: what is dragged while it is down is the slide, and no shape", () => {
    draw("rectangle");
    expect(press("keydown", "body")).toBe(true);
    expect(microscope.viewer.canvas.style.cursor).toBe("grab");
    expect(
      drag([
        [100, 100],
        [200, 200],
      ]),
    ).toEqual([false, false]);
    expect(state()).toMatchObject({ count: 0, draft: null, tool: "rectangle" });
    press("keyup", "body");
    expect(microscope.viewer.canvas.style.cursor).toBe("crosshair");
    drag([
      [100, 100],
      [200, 200],
    ]);
    expect(state().count).toBe(1);
  });

  it("is taken from a button that was clicked while the pointer is on the picture, and from no other control", () => {
    const [clicked, tabbed] = [button(false), button(true)];
    press("focusin", clicked);
    expect(press("keydown", clicked)).toBe(true);
    press("keyup", clicked);
    hovered = false;
    expect(press("keydown", clicked)).toBe(false);
    hovered = true;
    press("focusin", tabbed);
    expect(press("keydown", tabbed)).toBe(false);
  });
});

it("lifting two fingers puts no corner down", () => {
  draw("polygon");
  raise("press", 100, 100);
  raise("pinch", 100, 100);
  raise("release", 100, 100);
  expect(state().draft).toBeNull();
});

describe("the selected shape", () => {
  let id: string;
  beforeEach(() => {
    id = store.create(square, 0);
  });

  it("is moved by its line, shown on the way, and changed once", () => {
    expect(
      drag([
        [125, 100],
        [135, 130],
        [145, 140],
      ]),
    ).toEqual([true, true, true]);
    const moved = boxed("rectangle", { minX: 120, minY: 140, maxX: 220, maxY: 240 });
    expect(shapeOf(id)).toEqual(moved);
    expect(layer.edits.at(-2)).toEqual(moved);
    expect(layer.edits.at(-1)).toBeNull();
    store.undo();
    expect(shapeOf(id)).toEqual(square);
  });

  it("is reshaped by the nearest of its handles", () => {
    drag([
      [203, 203],
      [300, 260],
    ]);
    expect(shapeOf(id)).toEqual(boxed("rectangle", { minX: 100, minY: 100, maxX: 300, maxY: 260 }));
  });

  it("does not change by a click that trembles", () => {
    drag([
      [150, 100],
      [156, 104],
    ]);
    expect([shapeOf(id), state().selected]).toEqual([square, [id]]);
  });

  it("stays as it is when a second finger comes down", () => {
    raise("press", 150, 100);
    raise("drag", 190, 140);
    raise("pinch", 190, 140);
    raise("release", 190, 140);
    expect(shapeOf(id)).toEqual(square);
    expect(layer.edits.at(-1)).toBeNull();
  });

  it("cannot be dragged where several are selected, or where it is not seen", () => {
    const other = store.create(point("point", 600, 600), 0);
    store.select([id, other]);
    expect(
      drag([
        [150, 100],
        [190, 140],
      ]),
    ).toEqual([false, false]);
    store.select([id]);
    layer.seen = false;
    drag([
      [150, 100],
      [190, 140],
    ]);
    expect(shapeOf(id)).toEqual(square);
  });

  it("keeps the viewer from zooming at a click on it", () => {
    expect(click(150, 100)).toBe(true);
    expect(click(400, 400)).toBe(false);
  });
});

describe("the corners of a polygon", () => {
  const triangle: Shape = { ...square, kind: "polygon", parts: [[100, 100, 300, 100, 300, 300, 100, 100]] };
  const four: Shape = { ...triangle, parts: [[100, 100, 200, 100, 300, 100, 300, 300, 100, 100]] };

  it("become one more by a double click on a line, and not on a corner", () => {
    const id = store.create(triangle, 0);
    expect(raise("double-click", 200, 100)).toBe(true);
    expect(shapeOf(id)).toEqual(four);
    raise("double-click", 300, 300);
    expect(shapeOf(id)).toEqual(four);
    expect(raise("double-click", 700, 700)).toBe(false);
  });

  it("become one less by Alt and a click, but never fewer than three", () => {
    const id = store.create(four, 0);
    click(200, 100, { altKey: true });
    expect(shapeOf(id)).toEqual(triangle);
    click(300, 100, { altKey: true });
    expect(shapeOf(id)).toEqual(triangle);
    expect(state().selected).toEqual([id]);
  });
});

describe("AN23: who may not annotate", () => {
  it("moves what was measured on this page, and nothing that may not be changed", async () => {
    await open(false);
    draw("line");
    drag([
      [100, 100],
      [300, 100],
    ]);
    const id = state().selected[0]!;
    expect(
      drag([
        [200, 100],
        [200, 160],
      ]),
    ).toEqual([true, true]);
    expect(shapeOf(id)).toEqual(line("line", [100, 160, 300, 160]));
    vi.spyOn(store, "mayChange").mockReturnValue(false);
    expect(
      drag([
        [200, 160],
        [200, 100],
      ]),
    ).toEqual([false, false]);
  });
});

it("the pointer is a cross while a tool is active, and the viewer's own again once it is closed", () => {
  draw("line");
  expect(microscope.viewer.canvas.style.cursor).toBe("crosshair");
  interaction.close();
  expect([microscope.viewer.canvas.style.cursor, microscope.viewer.handlerCount]).toEqual(["", 0]);
});

describe("the loupe (AN44)", () => {
  const TOUCH = { pointerType: "touch" };

  it("shows what a finger draws, and is gone when it is lifted", () => {
    draw("rectangle");
    drag(
      [
        [100, 100],
        [150, 180],
      ],
      TOUCH,
    ); // prettier-ignore
    expect(enlarged).toEqual([[50, 50], [75, 90], null]); // prettier-ignore
  });

  it("shows the corner that a finger drags, and not what it moves", () => {
    draw("rectangle");
    drag([
      [100, 100],
      [200, 200],
    ]); // prettier-ignore
    enlarged = [];
    drag(
      [
        [200, 200],
        [230, 240],
      ],
      TOUCH,
    ); // prettier-ignore
    expect(enlarged).toEqual([[100, 100], [115, 120], null]); // prettier-ignore
    enlarged = [];
    drag(
      [
        [165, 170],
        [175, 180],
      ],
      TOUCH,
    ); // prettier-ignore
    expect(enlarged).toEqual([null]);
  });

  it("is gone when a second finger comes, and is not there for a mouse", () => {
    draw("rectangle");
    raise("press", 100, 100, TOUCH);
    raise("pinch", 100, 100, TOUCH);
    expect(enlarged).toEqual([[50, 50], null]); // prettier-ignore
    enlarged = [];
    draw("rectangle");
    drag([
      [100, 100],
      [150, 180],
    ]); // prettier-ignore
    expect(enlarged).toEqual([null]);
  });
});
