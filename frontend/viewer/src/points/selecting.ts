/** Selecting points: a click selects the one below, a drag with the tool all in a box. */
import type { Microscope } from "../core/microscope";
import type { PointLayer } from "./layer";

interface Position {
  readonly x: number;
  readonly y: number;
}

/** The part of OpenSeadragon's pointer events that is used here. */
interface CanvasPointerEvent {
  readonly position: Position;
  readonly quick?: boolean;
  preventDefaultAction?: boolean;
}

export interface SelectingPorts {
  /** Whether a drag draws a box. */
  readonly boxes: () => boolean;
  /** Whether a click is for points. */
  readonly isFree: () => boolean;
  readonly selected: (rows: Uint32Array<ArrayBuffer>) => void;
}

export function selectPoints({ viewer }: Microscope, layer: PointLayer, ports: SelectingPorts): void {
  const box = document.createElement("div");
  box.style.cssText =
    "position:absolute;pointer-events:none;display:none;border:1px dashed #1457b8;background:rgb(20 87 184 / 12%)";
  viewer.canvas.append(box);
  let from: Position | null = null;
  const on = (name: string, work: (event: CanvasPointerEvent) => void): void => {
    viewer.addHandler(name as never, work);
  };
  const hide = (): void => void (box.style.display = "none");
  on("canvas-press", ({ position }) => {
    from = ports.boxes() ? position : null;
    hide();
  });
  on("canvas-drag", (event) => {
    if (!from) return;
    event.preventDefaultAction = true;
    const { x, y } = event.position;
    const sides = { left: Math.min(x, from.x), top: Math.min(y, from.y) };
    const size = { width: Math.abs(x - from.x), height: Math.abs(y - from.y) };
    for (const [name, value] of Object.entries({ ...sides, ...size })) box.style.setProperty(name, `${value}px`);
    box.style.display = "block";
  });
  on("canvas-drag-end", (event) => {
    if (!from) return;
    event.preventDefaultAction = true; // a box that ends in motion does not push the slide
    ports.selected(layer.between(from, event.position));
    hide();
    from = null;
  });
  on("canvas-click", ({ quick, position }) => {
    if (!quick || layer.count === 0 || !ports.isFree()) return;
    const row = layer.at(position);
    ports.selected(row === null ? new Uint32Array(0) : Uint32Array.of(row));
  });
}
