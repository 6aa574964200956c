/** Brush and wand (annotations.md, AN39, AN40): what they make of the selected area, or of a new one. */
import { distanceTo, isInside, simplified } from "@wavescope/core/geometry/outline";
import { type Shape, isClosed } from "@wavescope/core/geometry/shape";
import type { AnnotationStore } from "./store/annotationStore";
import type { Stroke } from "./draw/brush";
import type { AnnotationLayer } from "./paint/layer";

/** Where a pointer is, in CSS pixels of the viewer. */
interface Position {
  readonly x: number;
  readonly y: number;
}

/** Which keys are down: Shift adds to the selected area from anywhere, Alt takes away from it. */
export interface Modifiers {
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

interface Target {
  readonly id: string;
  readonly shape: Shape;
}

const load = () => Promise.all([import("./draw/brush"), import("./draw/wand"), import("./draw/areas")]);
const FINE = 0.7; // pixels of the picture that an outline of the wand may lose

export class AreaTools {
  /** The modules of the tools, from when one of them was first chosen. */
  private modules: Awaited<ReturnType<typeof load>> | null = null;
  private stroke: Stroke | null = null;
  private target: Target | null = null;

  constructor(
    private readonly layer: AnnotationLayer,
    private readonly store: AnnotationStore,
  ) {}

  /** Loads what the tools need; they do nothing until then. */
  async prepare(): Promise<void> {
    this.modules ??= await load();
  }

  press(position: Position, keys: Modifiers): void {
    if (!this.modules) return;
    const { x, y, pixel } = this.layer.slidePoint(position);
    const { brush } = this.store.state.getState();
    const wipes = brush.wipes || keys.altKey;
    const radius = (brush.width / 2) * pixel;
    this.target = this.targetAt(x, y, radius, keys.shiftKey || wipes);
    if (wipes && !this.target) return;
    this.show(this.modules[0].begun(this.target?.shape ?? null, [x, y], radius, wipes));
  }

  drag(position: Position): void {
    if (!this.modules || !this.stroke) return;
    const { x, y } = this.layer.slidePoint(position);
    this.show(this.modules[0].brushed(this.stroke, [x, y]));
  }

  release(): void {
    const { stroke, target } = this;
    if (!this.modules || !stroke) return;
    this.cancel();
    this.put(this.modules[0].done(stroke), target);
  }

  /** The stroke is not done. */
  cancel(): void {
    if (!this.stroke) return;
    this.stroke = null;
    this.store.set({ draft: null });
    this.layer.edit(null);
  }

  /** What looks alike around a point becomes an area, or is added to the selected one or taken from it. */
  grow(position: Position, keys: Modifiers): void {
    if (!this.modules) return;
    const [, wand, areas] = this.modules;
    const { x, y } = this.layer.slidePoint(position);
    const target = this.targetAt(x, y, 0, keys.shiftKey || keys.altKey);
    const found = this.found(wand, position);
    const grown = found && areas.union([found]);
    if (!grown || (keys.altKey && !target)) return;
    if (keys.altKey) this.put(areas.difference(target!.shape, [grown]), target);
    else this.put(areas.union(target ? [target.shape, grown] : [grown]), target);
  }

  private found(wand: typeof import("./draw/wand"), position: Position): Shape | null {
    const { canvas, viewer } = this.layer.microscope;
    const picture = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const { clientWidth, clientHeight } = viewer.canvas;
    const [across, down] = [picture.width / clientWidth, picture.height / clientHeight];
    const { tolerance } = this.store.state.getState();
    const rings = wand.grown(picture, position.x * across, position.y * down, tolerance);
    if (rings.length === 0) return null;
    const parts = rings.map((ring) => {
      const corners = simplified(ring, FINE);
      return corners.flatMap((_, i) => {
        if (i % 2 === 1) return [];
        const { x, y } = this.layer.slidePoint({ x: corners[i]! / across, y: corners[i + 1]! / down });
        return [x, y];
      });
    });
    return { kind: "polygon", type: "Polygon", parts, groups: [parts.length] };
  }

  /** The selected area, if the tool is put on it or means it anyway. */
  private targetAt(x: number, y: number, reach: number, anywhere: boolean): Target | null {
    const { selected } = this.store.state.getState();
    const [id] = selected;
    const content = id !== undefined && selected.length === 1 && this.store.mayChange(id) ? this.store.get(id) : null;
    if (!content || !isClosed(content.shape)) return null;
    const { shape } = content;
    const isOn = anywhere || isInside(shape, x, y) || distanceTo(shape, x, y) <= reach;
    return isOn ? { id: id!, shape } : null;
  }

  private show(stroke: Stroke): void {
    this.stroke = stroke;
    const { area, at } = stroke;
    if (this.target) return this.layer.edit(area ?? nothingAt(at));
    if (area) this.store.set({ draft: { kind: "polygon", coordinates: at, at, area } });
  }

  private put(area: Shape | null, target: Target | null): void {
    if (target) this.store.reshape([{ id: target.id, shapes: area ? [area] : [] }]);
    else if (area) this.store.create(area, this.layer.microscope.plane);
  }
}

/** An area without inside. */
function nothingAt([x, y]: readonly [number, number]): Shape {
  return { kind: "polygon", type: "Polygon", parts: [[x, y, x, y]], groups: [1] };
}
