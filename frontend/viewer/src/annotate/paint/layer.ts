/** Draws the annotations of the store above the slide, in the same frame as the slide itself. */
import OpenSeadragon from "openseadragon";
import { type Shape, boxOf, polygon } from "@wavescope/core/geometry/shape";
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";
import type { Microscope } from "../../core/microscope";
import type { AnnotationState } from "../store/annotationState";
import type { AnnotationStore } from "../store/annotationStore";
import { isField } from "../count/fields";
import { cssOf, packed, shownColor } from "./colors";
import { type Handle, handlesOf, newCornersOf } from "../draw/editing";
import { type Label, Marks, type ScreenArea, paintLabels } from "./marks";
import { type Matrix, onCanvas, onSlide, scaleOf, visibleBox } from "./matrix";
import { ChosenPainter } from "./chosenPainter";
import type { Drawable } from "./scene";
import { SceneBuilder } from "./sceneBuilder";
import { viewMatrix } from "./viewMatrix";
import { measureLabels, shortened } from "../draw/labels";

const MAX_OUTLINED = 100; // selected objects that get an outline of their own
const MAX_LABELS = 120;
const LONG_EDGE = 56; // CSS pixels; a shorter edge has no handle for a new corner: it would lie on those of its ends
const LABELLED_SIZE = 24; // CSS pixels; smaller objects get no label

export class AnnotationLayer {
  readonly marks = new Marks();
  private readonly painter = new ChosenPainter();
  private readonly scene: SceneBuilder;
  private readonly ends: (() => void)[] = [];
  /** The frame that is asked for. */
  private frame: number | null = null;
  /** The selected object as a hand is changing it. */
  private edited: Shape | null = null;
  private outlined: readonly unknown[] = [];

  constructor(
    readonly microscope: Microscope,
    readonly store: AnnotationStore,
  ) {
    this.scene = new SceneBuilder(
      this.painter,
      () => this.drawables(),
      (id) => this.drawable(id, store.get(id)),
      () => this.invalidate(),
    );
    microscope.viewer.canvas.append(this.painter.canvas, this.marks.root);
    const draw = (): void => this.draw();
    microscope.viewer.addHandler("update-viewport", draw);
    let before = store.state.getState();
    const follow = (state: AnnotationState): void => {
      if (filters(state).some((value, i) => value !== filters(before)[i])) this.scene.rebuild();
      before = state;
      this.invalidate();
    };
    let plane = microscope.plane;
    const focus = (): void => {
      if (plane !== microscope.plane && store.state.getState().onlyThisPlane) this.scene.rebuild();
      plane = microscope.plane;
    };
    this.ends.push(
      () => microscope.viewer.removeHandler("update-viewport", draw),
      store.listen((ids) => this.scene.change(ids)),
      store.state.subscribe(follow),
      microscope.state.subscribe(focus),
    );
    this.scene.rebuild();
  }

  close(): void {
    this.cancelFrame();
    for (const end of this.ends) end();
    this.scene.close();
    this.painter.close();
    this.marks.root.remove();
  }

  get kind(): "webgl" | "canvas" {
    return this.painter.kind;
  }

  get settled(): boolean {
    return this.scene.settled && this.painter.settled && this.frame === null;
  }

  /** A rectangle of device pixels, as drawn now. */
  read(x: number, y: number, width: number, height: number): ImageData {
    const copy = document.createElement("canvas");
    Object.assign(copy, { width, height });
    const pen = copy.getContext("2d")!;
    this.draw();
    pen.translate(-x, -y);
    this.painter.copyTo(pen);
    return pen.getImageData(0, 0, width, height);
  }

  matrix(): Matrix {
    return viewMatrix(this.microscope);
  }

  /** The level-0 position of a point of the viewer in CSS pixels, and the number of level-0 pixels per CSS pixel. */
  slidePoint(position: { readonly x: number; readonly y: number }): { x: number; y: number; pixel: number } {
    const ratio = OpenSeadragon.pixelDensityRatio;
    const matrix = this.matrix();
    const [x, y] = onSlide(matrix, position.x * ratio, position.y * ratio);
    return { x, y, pixel: ratio / scaleOf(matrix) };
  }

  /** Shows the selected object otherwise than it is, while a hand changes it; null: as it is. */
  edit(shape: Shape | null): void {
    this.edited = shape;
    this.scene.hide(shape ? this.store.state.getState().selected : []);
    this.invalidate();
  }

  handles(): Handle[] {
    const { selected, tool } = this.store.state.getState();
    const content = selected.length === 1 && tool === null ? this.store.get(selected[0]!) : null;
    if (!content || !this.store.mayChange(selected[0]!)) return [];
    if (this.edited) return handlesOf(this.edited);
    const least = (LONG_EDGE * OpenSeadragon.pixelDensityRatio) / scaleOf(this.matrix());
    return [...handlesOf(content.shape), ...newCornersOf(content.shape, least)];
  }

  /** The objects that lie wholly in a rectangle of the screen and are drawn. */
  within({ x, y, width, height }: ScreenArea): string[] {
    const ratio = OpenSeadragon.pixelDensityRatio;
    const matrix = this.matrix();
    const corners = [x, x + width].flatMap((cx) =>
      [y, y + height].map((cy) => onSlide(matrix, cx * ratio, cy * ratio)),
    );
    const isInside = (part: readonly number[]): boolean => {
      for (let i = 0; i < part.length; i += 2) {
        const [px, py] = onCanvas(matrix, part[i]!, part[i + 1]!).map((value) => value / ratio) as [number, number];
        if (px < x || px > x + width || py < y || py > y + height) return false;
      }
      return true;
    };
    return this.store.index
      .within(boxOf({ parts: [corners.flat()] }))
      .filter(({ id, content }) => this.isSeen(content, id) && content.shape.parts.every(isInside))
      .map(({ id }) => id);
  }

  /** Whether an object is drawn at all, as the person has chosen. */
  readonly isSeen = (content: Content, id: string): boolean => {
    const { visible, hiddenClasses, onlyThisPlane } = this.store.state.getState();
    if (!visible || hiddenClasses.has(content.class) || this.store.styleOf(id).hidden) return false;
    return !onlyThisPlane || content.z === this.microscope.plane;
  };

  /** Draws at the next frame, without the slide. */
  invalidate(): void {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    this.cancelFrame();
    if (!this.microscope.viewer.isOpen()) return;
    performance.mark("annotations-begin");
    const { width, height } = this.microscope.canvas;
    const ratio = OpenSeadragon.pixelDensityRatio;
    const matrix = this.matrix();
    const { chunks } = this.scene;
    const some = chunks.length > 0;
    this.painter.canvas.style.display = some ? "" : "none"; // a slide without annotations pays nothing for them
    this.painter.resize(some ? width : 1, some ? height : 1);
    this.painter.draw(chunks, matrix, ratio);
    this.outline();
    this.marks.update(matrix, ratio, this.handles(), this.labels(matrix, ratio));
    performance.measure("annotations", "annotations-begin");
    performance.clearMeasures("annotations");
    performance.clearMarks("annotations-begin");
  }

  /** Draws what is seen of the annotations, but for handles, into a picture of the canvas. */
  paint(pen: CanvasRenderingContext2D): void {
    const ratio = OpenSeadragon.pixelDensityRatio;
    const matrix = this.matrix();
    this.draw();
    if (this.scene.chunks.length > 0) {
      this.painter.finish();
      this.painter.copyTo(pen);
    }
    paintLabels(pen, matrix, ratio, this.labels(matrix, ratio));
  }

  private cancelFrame(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  /** The outlines of what is selected or being drawn, made anew only when they have changed. */
  private outline(): void {
    const { selected, pointed, draft, classes, colorBy } = this.store.state.getState();
    const contents = this.present(selected);
    const shown = this.present(pointed.filter((id) => !selected.includes(id)));
    const drawnOf = [...shown, ...contents].map(([, content]) => content);
    const now = [draft, this.edited, classes, colorBy, shown.length, ...drawnOf];
    if (now.length === this.outlined.length && now.every((value, i) => value === this.outlined[i])) return;
    this.outlined = now;
    const shapes = contents.map(([id, content]) => ({
      shape: this.edited ?? content.shape,
      color: cssOf(this.colorOf(id, content)),
    }));
    const others = shown.map(([id, content]) => ({
      shape: content.shape,
      color: cssOf(this.colorOf(id, content)),
      strong: true,
    }));
    const drawn = draft && draftShape(draft);
    this.marks.outline([...others, ...shapes, ...(drawn ? [{ shape: drawn, color: "#1457b8" }] : [])]);
  }

  private colorOf(id: string, content: Content): Color {
    return shownColor(content, this.store.authorOf(id), this.store.state.getState());
  }

  private present(ids: readonly string[]): [string, Content][] {
    return ids.slice(0, MAX_OUTLINED).flatMap((id) => {
      const content = this.store.get(id);
      return content ? [[id, content] as [string, Content]] : [];
    });
  }

  private labels(matrix: Matrix, ratio: number): Label[] {
    const { draft, labels, visible, selected, pointed, typed } = this.store.state.getState();
    const { mpp } = this.microscope.manifest;
    const found: Label[] = [];
    if (draft) {
      const shape = measuredDraft(draft);
      if (shape)
        found.push({ x: draft.at[0], y: draft.at[1], text: measureLabels(shape, mpp).join(", "), strong: true });
    }
    for (const id of selected.slice(0, 1)) {
      const stored = this.store.get(id);
      if (!stored) continue;
      const content = {
        ...stored,
        shape: this.edited ?? stored.shape,
        ...(typed?.id === id && { name: typed.name, text: typed.text }),
      };
      found.push({ ...corner(content.shape), ...labelOf(content, mpp), strong: true });
    }
    for (const [, content] of this.present(pointed))
      found.push({ ...corner(content.shape), ...labelOf(content, mpp), strong: true });
    if (!visible) return found;
    const view = visibleBox(matrix, this.microscope.canvas.width, this.microscope.canvas.height);
    const least = (LABELLED_SIZE * ratio) / scaleOf(matrix);
    for (const { id, content } of labels ? this.store.index.within(view) : this.store.labelled.within(view)) {
      if (found.length >= MAX_LABELS) break;
      if (id === selected[0] || pointed.includes(id) || !this.isSeen(content, id)) continue;
      const box = boxOf(content.shape);
      const large =
        content.shape.kind === "text" ||
        content.shape.kind === "point" ||
        Math.max(box.maxX - box.minX, box.maxY - box.minY) >= least;
      if (large) found.push({ ...corner(content.shape), ...labelOf(content, mpp) });
    }
    return found;
  }

  private *drawables(): Generator<Drawable> {
    for (const [id, content] of this.store.index.all()) {
      const drawable = this.drawable(id, content);
      if (drawable) yield drawable;
    }
  }

  private drawable(id: string, content: Content | null): Drawable | null {
    if (!content || !this.isSeen(content, id)) return null;
    return { id, shape: content.shape, color: packed(this.colorOf(id, content), this.store.styleOf(id).opacity) };
  }
}

const filters = ({ classes, colorBy, hiddenClasses, layers, visible, onlyThisPlane }: AnnotationState): unknown[] => [
  classes,
  colorBy,
  hiddenClasses,
  layers,
  visible,
  onlyThisPlane,
];

/** What a half-done shape looks like. */
function draftShape({ kind, coordinates, at, area }: NonNullable<AnnotationState["draft"]>): Shape | null {
  if (area) return area;
  const all = kind === "freehand" ? coordinates : [...coordinates, ...at];
  if (all.length < 4) return null;
  if (kind === "rectangle" || kind === "ellipse") {
    const [x0, y0, x1, y1] = all as [number, number, number, number];
    return { kind, type: "Polygon", parts: [[x0, y0, x1, y0, x1, y1, x0, y1, x0, y0]], groups: [1] };
  }
  return {
    kind: kind === "arrow" || (kind === "angle" && all.length === 6) ? kind : "line",
    type: "LineString",
    parts: [all],
    groups: [],
  };
}

/** The shape that is measured while it is drawn: an area as if it were closed here. */
function measuredDraft(draft: NonNullable<AnnotationState["draft"]>): Shape | null {
  const { kind, coordinates, at, area } = draft;
  if (area || (kind !== "polygon" && kind !== "freehand")) return draftShape(draft);
  const all = kind === "freehand" ? coordinates : [...coordinates, ...at];
  return all.length < 6 ? null : polygon(kind, all);
}

/** Where a label begins: at a point, at the end of a line, at the right upper corner of anything else. */
function corner(shape: Shape): { x: number; y: number } {
  const last = shape.parts.at(-1)!;
  if (shape.groups.length === 0) return { x: last[last.length - 2]!, y: last[last.length - 1]! };
  const box = boxOf(shape);
  return { x: box.maxX, y: box.minY };
}

function labelOf(content: Content, mpp: { x: number; y: number } | null): Pick<Label, "text" | "whole"> {
  if (isField(content)) return { text: content.name };
  const { kind } = content.shape;
  const whole = kind === "text" ? content.text.split("\n", 1)[0]! : content.name || content.class;
  const head = shortened(whole, kind);
  const text = [head, ...measureLabels(content.shape, mpp)].filter(Boolean).join(" · ");
  return head === whole ? { text } : { text, whole };
}
