/** Where the own pointer is in the slide, for others to see. */
import type OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";
import { type ScreenPoint, underScreen } from "../navigation/pointing";

export type Pointed = { readonly l0_x: number; readonly l0_y: number } | null;

export class OwnPointer {
  private at: ScreenPoint | null = null;
  private central = false;
  /** Whether the last pointer was a finger: none is over the viewer between its touches. */
  private byTouch = false;
  private reported: Pointed = null;
  private readonly listening = new AbortController();
  private readonly again = (): void => this.report();

  /** `pointed`: called with the level-0 point; null: the pointer is not over the slide. */
  constructor(
    private readonly microscope: Microscope,
    private readonly pointed: (at: Pointed) => void,
  ) {
    const { element } = microscope.viewer;
    const { signal } = this.listening;
    const here = (event: PointerEvent): void => this.move(event);
    const gone = (event: PointerEvent): void => {
      if (event.type === "pointerleave" || event.pointerType !== "mouse") this.leave();
    };
    element.addEventListener("pointermove", here, { signal });
    element.addEventListener("pointerdown", here, { signal });
    for (const name of ["pointerleave", "pointerup", "pointercancel"] as const)
      element.addEventListener(name, gone, { signal });
    microscope.viewer.addHandler("update-viewport", this.again);
  }

  /** Whether the middle of the view is pointed at while no pointer is over the viewer: for keyboard users. */
  pointAtCentre(central: boolean): void {
    this.central = central;
    this.report();
  }

  close(): void {
    this.listening.abort();
    this.microscope.viewer.removeHandler("update-viewport", this.again);
  }

  private move(event: PointerEvent): void {
    this.byTouch = event.pointerType === "touch";
    const box = this.microscope.viewer.element.getBoundingClientRect();
    this.at = { css_x: event.clientX - box.left, css_y: event.clientY - box.top };
    this.report();
  }

  private leave(): void {
    this.at = null;
    this.report();
  }

  /** The point under the pointer changes too when the slide moves under it. */
  private report(): void {
    const { clientWidth, clientHeight } = this.microscope.viewer.element;
    const at = this.at ?? (this.central && !this.byTouch ? { css_x: clientWidth / 2, css_y: clientHeight / 2 } : null);
    const point = at && underScreen(this.microscope, at);
    if (point?.l0_x === this.reported?.l0_x && point?.l0_y === this.reported?.l0_y) return;
    this.reported = point;
    this.pointed(point);
  }
}

/** While `pointing`, one finger points and does not drag the slide; two fingers move it. Until the returned function is called. */
export function pointByTouch({ viewer }: Microscope, pointing: () => boolean): () => void {
  const hold = (event: Omit<OpenSeadragon.CanvasDragEvent, "delta">): void => {
    if (event.pointerType === "touch" && pointing()) event.preventDefaultAction = true;
  };
  viewer.addHandler("canvas-drag", hold);
  viewer.addHandler("canvas-drag-end", hold);
  return () => {
    viewer.removeHandler("canvas-drag", hold);
    viewer.removeHandler("canvas-drag-end", hold);
  };
}
