/** Pointer and keys: what they draw, select, move and reshape. The viewer handles everything else. */
import { distanceTo } from "@wavescope/core/geometry/outline";
import { type Shape, hundredths, moved, point } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { AreaTools, type Modifiers } from "./areaTools";
import { fieldAt } from "./count/fields";
import type { Tool } from "./store/annotationState";
import type { AnnotationStore } from "./store/annotationStore";
import { type DrawEvent, draw, isDragged } from "./draw/drawing";
import { type Handle, isNewCorner, reshaped, withCorner, withoutCorner } from "./draw/editing";
import { Loupe } from "./loupe";
import type { AnnotationLayer } from "./paint/layer";
import type { ScreenArea } from "./paint/marks";

const REACH = 9; // CSS pixels that a pointer may miss
const STILL = 5; // CSS pixels that a click may move
const DOUBLE = 3; // CSS pixels from a point within which another of its class is the same click once more

const counts = (tool: Tool): tool is "count" | "field" => tool === "count" || tool === "field";
const findsAreas = (tool: Tool): tool is "brush" | "wand" => tool === "brush" || tool === "wand";

interface Position {
  readonly x: number;
  readonly y: number;
}

/** The part of OpenSeadragon's pointer events that is used here. */
interface CanvasPointerEvent {
  readonly position: Position;
  readonly originalEvent: { readonly shiftKey: boolean; readonly altKey: boolean; readonly pointerType?: string };
  preventDefaultAction?: boolean;
}

/** What a press has begun. */
type Grip =
  | { readonly kind: "draw" }
  | { readonly kind: "paint" }
  | { readonly kind: "select"; readonly from: Position }
  | { readonly kind: "handle"; readonly id: string; readonly handle: Handle; readonly shape: Shape }
  | { readonly kind: "move"; readonly id: string; readonly shape: Shape; readonly x: number; readonly y: number };

export class AnnotationInteraction {
  private grip: Grip | null = null;
  private shape: Shape | null = null;
  private pressed: Position | null = null;
  /** Whether the last press was ours; what follows the release still asks. */
  private handlesPress = false;
  /** Whether the space bar is down. */
  private carrying = false;
  private readonly areas: AreaTools;
  /** The cursor of the brush. */
  private circle = { width: 0, cursor: "" };
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly layer: AnnotationLayer,
    private readonly store: AnnotationStore,
    private readonly loupe: Pick<Loupe, "show" | "hide"> = new Loupe(layer.microscope),
  ) {
    const { viewer } = layer.microscope;
    this.areas = new AreaTools(layer, store);
    const on = (name: string, work: (event: CanvasPointerEvent) => void): void => {
      viewer.addHandler(name as never, work);
      this.ends.push(() => viewer.removeHandler(name as never, work));
    };
    on("canvas-press", (event) => {
      this.press(event);
      this.enlarge(event);
    });
    on("canvas-drag", (event) => {
      this.drag(event);
      this.enlarge(event);
    });
    on("canvas-drag-end", (event) => this.preventViewerAction(event));
    on("canvas-release", (event) => this.release(event));
    on("canvas-click", (event) => this.preventViewerAction(event));
    on("canvas-double-click", (event) => this.doubleClick(event));
    on("canvas-pinch", () => {
      this.cancelGrip();
      this.pressed = null; // what is released was no click
    });
    this.ends.push(whileSpaceIsDown(viewer.element, (down) => this.carry(down)));
    const hover = (event: PointerEvent): void => this.hover(event);
    viewer.canvas.addEventListener("pointermove", hover);
    this.ends.push(() => viewer.canvas.removeEventListener("pointermove", hover));
    this.ends.push(
      store.state.subscribe(() => this.follow()),
      () => (viewer.canvas.style.cursor = ""),
    );
  }

  close(): void {
    this.loupe.hide();
    for (const end of this.ends) end();
  }

  private get tool(): Tool | null {
    return this.store.state.getState().tool;
  }

  /** Ends a shape that is being drawn, adds to it, or takes back: by keys, at the middle of the view. */
  key(type: "place" | "finish" | "back" | "cancel"): void {
    const { clientWidth, clientHeight } = this.layer.microscope.viewer.canvas;
    const middle = { x: clientWidth / 2, y: clientHeight / 2 };
    const { x, y, pixel } = this.layer.slidePoint(middle);
    this.cancelGrip();
    if (this.tool && findsAreas(this.tool)) {
      if (type === "place") this.useAt(this.tool, middle, { shiftKey: false, altKey: false });
      return;
    }
    this.dispatchDrawing(
      type === "place"
        ? { type, x, y, reach: REACH * pixel }
        : type === "finish"
          ? { type, reach: REACH * pixel }
          : { type },
    );
  }

  /** A menu is asked for at a place: of what lies there, unless it is selected already. In CSS pixels of the viewer. */
  selectAt(place: Position & { readonly touch: boolean }): void {
    this.cancelGrip();
    this.pressed = null; // what is released was no click
    if (this.tool) return;
    const { x, y, pixel } = this.layer.slidePoint(place);
    const { selected } = this.store.state.getState();
    const id = this.store.index.hit(x, y, reachOf(pixel, place.touch), this.layer.isSeen);
    if (id === null || !selected.includes(id)) this.store.select(id === null ? [] : [id]);
  }

  /** Removes the corner of the selected object at a place; null: there is none that can be removed. */
  cornerRemover(place: Position & { readonly touch: boolean }): (() => void) | null {
    const { x, y, pixel } = this.layer.slidePoint(place);
    const [id] = this.store.state.getState().selected;
    const handle = this.handleAt(x, y, reachOf(pixel, place.touch));
    const content = id === undefined ? null : this.store.get(id);
    const less = handle && content && withoutCorner(content.shape, handle);
    return less && (() => this.store.patch([id!], { shape: less }));
  }

  /** The space bar lends the hand: what is dragged while it is down is the slide, with any tool. */
  private carry(down: boolean): void {
    this.carrying = down;
    this.updateCursor();
  }

  private follow(): void {
    if (this.tool && findsAreas(this.tool)) void this.areas.prepare();
    this.updateCursor();
  }

  private updateCursor(): void {
    const { tool, brush } = this.store.state.getState();
    if (tool === "brush" && this.circle.width !== brush.width)
      this.circle = { width: brush.width, cursor: brushCursor(brush.width) };
    const cursor = tool === "brush" ? this.circle.cursor : tool ? "crosshair" : "";
    this.layer.microscope.viewer.canvas.style.cursor = this.carrying ? "grab" : cursor;
  }

  /** One dab of the brush, or the wand. */
  private useAt(tool: "brush" | "wand", position: Position, keys: Modifiers): void {
    if (tool === "wand") return this.areas.grow(position, keys);
    this.areas.press(position, keys);
    this.areas.release();
  }

  private press(event: CanvasPointerEvent): void {
    this.grip = this.shape = null;
    this.handlesPress = false;
    this.pressed = this.carrying ? null : event.position;
    if (this.carrying) return;
    const { tool } = this;
    if (tool) {
      const draws = !counts(tool) && !findsAreas(tool) && isDragged(tool);
      this.grip = tool === "brush" ? { kind: "paint" } : draws ? { kind: "draw" } : null;
      this.handlesPress = this.grip !== null;
      if (tool === "brush") this.areas.press(event.position, event.originalEvent);
      else if (draws) this.dispatchDrawing({ type: "press", ...this.at(event) });
      return;
    }
    this.grip = this.gripAt(event) ?? (event.originalEvent.shiftKey ? { kind: "select", from: event.position } : null);
    this.handlesPress = this.grip !== null;
  }

  /** What a finger hides while it draws or drags a corner. */
  private enlarge({ position, originalEvent }: CanvasPointerEvent): void {
    const fine = this.grip !== null && ["draw", "paint", "handle"].includes(this.grip.kind);
    if (fine && originalEvent.pointerType === "touch") this.loupe.show(position);
  }

  private gripAt(event: CanvasPointerEvent): Grip | null {
    const { selected } = this.store.state.getState();
    const content = selected.length === 1 ? this.store.get(selected[0]!) : null;
    if (!content || !this.layer.isSeen(content, selected[0]!) || !this.store.mayChange(selected[0]!)) return null;
    const { x, y, reach } = this.at(event);
    const handle = this.handleAt(x, y, reach);
    if (handle) return { kind: "handle", id: selected[0]!, handle, shape: content.shape };
    return distanceTo(content.shape, x, y) <= reach
      ? { kind: "move", id: selected[0]!, shape: content.shape, x, y }
      : null;
  }

  private handleAt(x: number, y: number, reach: number): Handle | null {
    let nearest: Handle | null = null;
    let least = reach;
    for (const handle of this.layer.handles()) {
      const far = Math.hypot(handle.x - x, handle.y - y);
      if (far <= least) [least, nearest] = [far, handle];
    }
    return nearest;
  }

  private drag(event: CanvasPointerEvent): void {
    if (!this.grip) return;
    event.preventDefaultAction = true;
    if (this.grip.kind === "paint") return this.areas.drag(event.position);
    const at = this.at(event);
    if (this.grip.kind === "draw") return this.dispatchDrawing({ type: "drag", ...at });
    if (this.isStill(event)) return;
    if (this.grip.kind === "select") return this.layer.marks.select(areaBetween(this.grip.from, event.position));
    this.shape = this.changed(this.grip, at.x, at.y);
    this.layer.edit(this.shape);
  }

  private changed(grip: Extract<Grip, { shape: Shape }>, x: number, y: number): Shape {
    if (grip.kind === "handle") return reshaped(grip.shape, grip.handle, x, y);
    return moved(grip.shape, hundredths(x - grip.x), hundredths(y - grip.y));
  }

  private release(event: CanvasPointerEvent): void {
    this.loupe.hide();
    const { grip, shape, tool } = this;
    const still = this.isStill(event);
    this.pressed = this.grip = this.shape = null;
    if (grip?.kind === "paint") return this.areas.release();
    if (grip?.kind === "draw") return this.dispatchDrawing({ type: "release", ...this.at(event) });
    if (grip?.kind === "select") {
      this.layer.marks.select(null);
      if (!still) return this.selectIn(areaBetween(grip.from, event.position));
    } else if (grip && shape) {
      this.store.patch([grip.id], { shape });
      return this.layer.edit(null);
    }
    if (!still) return;
    if (tool === "count" && event.originalEvent.altKey) return this.uncount(event);
    if (tool === "wand") return this.areas.grow(event.position, event.originalEvent);
    if (tool) return this.dispatchDrawing({ type: "click", ...this.at(event) });
    if (event.originalEvent.altKey && grip?.kind === "handle") return this.removeCorner(grip);
    this.pick(event);
  }

  /** One more point of the class, or one more field. The second half of a double click is none. */
  private count(tool: "count" | "field", x: number, y: number, reach: number): void {
    const { countedClass, fieldSize } = this.store.state.getState();
    const { plane, manifest } = this.layer.microscope;
    if (tool === "field") {
      if (manifest.mpp) this.store.addFields([fieldAt({ x, y }, fieldSize, manifest.mpp)], plane);
      return;
    }
    const isSame = ({ shape, class: name }: Content): boolean => shape.kind === "point" && name === countedClass;
    if (countedClass === "" || this.store.index.hit(x, y, (reach * DOUBLE) / REACH, isSame)) return;
    this.store.add([{ shape: point("point", hundredths(x), hundredths(y)), class: countedClass }], plane);
  }

  private uncount(event: CanvasPointerEvent): void {
    const { x, y, reach } = this.at(event);
    const id = this.store.index.hit(
      x,
      y,
      reach,
      (content, id) => content.shape.kind === "point" && this.layer.isSeen(content, id),
    );
    if (id) this.store.remove([id]);
  }

  /** Adds what lies in a rectangle of the screen to the selection. */
  private selectIn(area: ScreenArea): void {
    const { selected } = this.store.state.getState();
    this.store.select([...new Set([...selected, ...this.layer.within(area)])]);
  }

  private pick(event: CanvasPointerEvent): void {
    const { x, y, reach } = this.at(event);
    const { selected } = this.store.state.getState();
    const id = this.store.index.hit(x, y, reach, this.layer.isSeen);
    if (!event.originalEvent.shiftKey) return this.store.select(id ? [id] : []);
    if (id) this.store.select(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  }

  private removeCorner({ id, shape, handle }: Extract<Grip, { kind: "handle" }>): void {
    const less = withoutCorner(shape, handle);
    if (less) this.store.patch([id], { shape: less });
  }

  private doubleClick(event: CanvasPointerEvent): void {
    if (this.tool) {
      event.preventDefaultAction = true;
      const { reach } = this.at(event);
      return this.dispatchDrawing({ type: "finish", reach });
    }
    const { selected } = this.store.state.getState();
    const content = selected.length === 1 ? this.store.get(selected[0]!) : null;
    const { x, y, reach } = this.at(event);
    if (!content || distanceTo(content.shape, x, y) > reach) return;
    event.preventDefaultAction = true;
    const more = withCorner(content.shape, x, y);
    const handle = this.handleAt(x, y, reach);
    if (more && (!handle || isNewCorner(handle))) this.store.patch(selected, { shape: more });
  }

  /** The viewer neither glides on after a drag nor zooms at a click of the annotation tools. */
  private preventViewerAction(event: CanvasPointerEvent): void {
    if (this.handlesPress) event.preventDefaultAction = true;
  }

  private hover(event: PointerEvent): void {
    if (!this.tool || this.pressed || !this.store.state.getState().draft) return;
    const { left, top } = this.layer.microscope.viewer.canvas.getBoundingClientRect();
    const { x, y, pixel } = this.layer.slidePoint({ x: event.clientX - left, y: event.clientY - top });
    this.dispatchDrawing({ type: "hover", x, y, reach: REACH * pixel });
  }

  /** Two fingers move the view: nothing is drawn or moved. */
  private cancelGrip(): void {
    this.loupe.hide();
    if (this.grip?.kind === "draw") this.store.set({ draft: null });
    if (this.grip?.kind === "select") this.layer.marks.select(null);
    this.areas.cancel();
    this.grip = this.shape = null;
    this.layer.edit(null);
  }

  private dispatchDrawing(event: DrawEvent): void {
    const { tool, draft, keepTool } = this.store.state.getState();
    if (!tool || findsAreas(tool)) return;
    if (counts(tool)) {
      if (event.type === "click" || event.type === "place") this.count(tool, event.x, event.y, event.reach);
      return;
    }
    const drawn = draw(tool, draft, event);
    this.store.set({ draft: drawn.draft });
    if (!drawn.shape) return;
    this.store.create(drawn.shape, this.layer.microscope.plane);
    if (!keepTool) this.store.set({ tool: null });
  }

  private at(event: CanvasPointerEvent): { x: number; y: number; reach: number; square: boolean } {
    const { x, y, pixel } = this.layer.slidePoint(event.position);
    const reach = reachOf(pixel, event.originalEvent.pointerType === "touch");
    return { x, y, reach, square: event.originalEvent.shiftKey };
  }

  private isStill({ position }: CanvasPointerEvent): boolean {
    return this.pressed !== null && Math.hypot(position.x - this.pressed.x, position.y - this.pressed.y) < STILL;
  }
}

/** How far from what it means a pointer may be, in level-0 pixels. */
const reachOf = (pixel: number, touch: boolean): number => REACH * pixel * (touch ? 2 : 1);

/** A circle as large as the brush; browsers draw no cursor of more than 128 pixels. */
function brushCursor(width: number): string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.min(128, width + 2);
  const middle = canvas.width / 2;
  const pen = canvas.getContext("2d")!;
  pen.arc(middle, middle, middle - 1, 0, 2 * Math.PI);
  for (const [colour, thick] of [
    ["#fff", 2],
    ["#000", 1],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.stroke();
  }
  return `url(${canvas.toDataURL()}) ${middle} ${middle}, crosshair`;
}

function areaBetween(one: Position, other: Position): ScreenArea {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
}

/**
 * Reports the space bar until the returned function is called: where the picture or nothing has the focus, and under a pointer on the
 * picture also where a button has it that was clicked.
 */
function whileSpaceIsDown(picture: HTMLElement, report: (down: boolean) => void): () => void {
  let down = false;
  let clicked: EventTarget | null = null; // it has the focus from a click; a key makes that visible, so it is asked before
  const focus = ({ target }: FocusEvent): void => {
    clicked = (target as Element).matches(":focus-visible") ? null : target;
  };
  const isOurs = (target: Element): boolean =>
    target === document.body || picture.contains(target) || (target === clicked && picture.matches(":hover"));
  const press = (event: KeyboardEvent): void => {
    if (event.key !== " " || event.defaultPrevented || !isOurs(event.target as Element)) return;
    event.preventDefault(); // no scrolling, no button
    if (!event.repeat) report((down = true));
  };
  const release = (event: Event): void => {
    if (!down || ("key" in event && event.key !== " ")) return;
    event.preventDefault();
    report((down = false));
  };
  addEventListener("focusin", focus);
  addEventListener("keydown", press);
  addEventListener("keyup", release);
  addEventListener("blur", release);
  return () => {
    removeEventListener("focusin", focus);
    removeEventListener("keydown", press);
    removeEventListener("keyup", release);
    removeEventListener("blur", release);
  };
}
