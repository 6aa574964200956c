/** Something is placed on the picture: seen under the pointer first, then by a click, or by a drag that gives size and direction. */
import type OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { handleClicks } from "./clicks";
import { type ScreenPoint, underScreen } from "./pointing";

export interface SlidePoint {
  readonly l0_x: number;
  readonly l0_y: number;
}

export interface Placing {
  /** Where the pointer is before anything is pressed; null: not over the picture. */
  readonly hovered: (at: SlidePoint | null) => void;
  readonly dragged: (from: SlidePoint, to: SlidePoint) => void;
  /** `from` equals `to` after a click. */
  readonly placed: (from: SlidePoint, to: SlidePoint) => void;
}

/** Until the returned function is called. A drag of one pointer does not move the slide meanwhile; wheel and pinch work. */
export function handlePlacing(microscope: Microscope, { hovered, dragged, placed }: Placing): () => void {
  const { viewer } = microscope;
  const slidePoint = (at: ScreenPoint): SlidePoint => underScreen(microscope, at);
  const pointOf = ({ position: { x, y } }: { readonly position: OpenSeadragon.Point }): SlidePoint =>
    slidePoint({ css_x: x, css_y: y });
  let from: SlidePoint | null = null;
  let moved = false;
  const press = (event: OpenSeadragon.CanvasPressEvent): void => {
    [from, moved] = [pointOf(event), false];
  };
  const drag = (event: Omit<OpenSeadragon.CanvasDragEvent, "delta">): void => {
    event.preventDefaultAction = true;
    if (!from) return;
    moved = true;
    dragged(from, pointOf(event));
  };
  const end = (event: Omit<OpenSeadragon.CanvasDragEvent, "delta">): void => {
    event.preventDefaultAction = true;
    if (from && moved) placed(from, pointOf(event));
    from = null;
  };
  const pinch = (): void => void (from = null);
  const stopClicks = handleClicks(microscope, (at) => {
    if (!moved) placed(slidePoint(at), slidePoint(at));
  });
  const listening = new AbortController();
  const { signal } = listening;
  const hover = ({ clientX, clientY, buttons, pointerType }: PointerEvent): void => {
    if (buttons !== 0 || pointerType === "touch") return;
    const { left, top } = viewer.element.getBoundingClientRect();
    hovered(slidePoint({ css_x: clientX - left, css_y: clientY - top }));
  };
  viewer.element.addEventListener("pointermove", hover, { signal });
  viewer.element.addEventListener("pointerleave", () => hovered(null), { signal });
  viewer.addHandler("canvas-press", press);
  viewer.addHandler("canvas-drag", drag);
  viewer.addHandler("canvas-drag-end", end);
  viewer.addHandler("canvas-pinch", pinch);
  return () => {
    stopClicks();
    listening.abort();
    viewer.removeHandler("canvas-press", press);
    viewer.removeHandler("canvas-drag", drag);
    viewer.removeHandler("canvas-drag-end", end);
    viewer.removeHandler("canvas-pinch", pinch);
  };
}
