/** While a finger draws or drags a corner: the picture under it, enlarged, where the finger does not cover it (AN44). */
import OpenSeadragon from "openseadragon";
import type { Microscope } from "../core/microscope";

interface Position {
  readonly x: number;
  readonly y: number;
}

/** CSS pixels. */
export const RADIUS = 60;
/** From the finger's point to the middle of the loupe. */
export const AWAY = 104;
/** Of the loupe from the edges of the view. */
const MARGIN = 4;
const ENLARGED = 2;

/** Where the middle of the loupe is, in a view of this size: above the finger; at the upper edge beside it, to the left if there is room. */
export function loupePlace(finger: Position, view: { readonly width: number; readonly height: number }): Position {
  const inside = (value: number, length: number): number =>
    Math.min(Math.max(value, RADIUS + MARGIN), Math.max(RADIUS + MARGIN, length - RADIUS - MARGIN));
  if (finger.y - AWAY - RADIUS >= MARGIN) return { x: inside(finger.x, view.width), y: finger.y - AWAY };
  const left = finger.x - AWAY - RADIUS >= MARGIN;
  return { x: finger.x + (left ? -AWAY : AWAY), y: inside(finger.y, view.height) };
}

export class Loupe {
  private canvas: HTMLCanvasElement | null = null;

  constructor(private readonly microscope: Microscope) {}

  /** Shows what is under a finger; in CSS pixels of the viewer. */
  show(finger: Position): void {
    const { viewer, canvas: picture } = this.microscope;
    const ratio = OpenSeadragon.pixelDensityRatio;
    const canvas = (this.canvas ??= this.make(ratio));
    const { clientWidth: width, clientHeight: height } = viewer.canvas;
    const { x, y } = loupePlace(finger, { width, height });
    canvas.style.transform = `translate(${x - RADIUS}px, ${y - RADIUS}px)`;
    const pen = canvas.getContext("2d")!;
    const reach = (RADIUS * ratio) / ENLARGED;
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = "#f4f3f5";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const [left, top] = [finger.x * ratio - reach, finger.y * ratio - reach];
    pen.drawImage(picture, left, top, 2 * reach, 2 * reach, 0, 0, canvas.width, canvas.height);
    cross(pen, ratio);
  }

  hide(): void {
    this.canvas?.remove();
    this.canvas = null;
  }

  private make(ratio: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.round(2 * RADIUS * ratio);
    canvas.dataset.testid = "loupe";
    canvas.setAttribute("aria-hidden", "true");
    const side = `${2 * RADIUS}px`;
    Object.assign(canvas.style, {
      position: "absolute",
      left: "0",
      top: "0",
      width: side,
      height: side,
      boxSizing: "border-box",
      borderWidth: "2px",
      borderStyle: "solid",
      borderColor: "#fff",
      borderRadius: "50%",
      outlineWidth: "1px",
      outlineStyle: "solid",
      outlineColor: "#1b1c20",
      pointerEvents: "none",
    });
    this.microscope.viewer.canvas.append(canvas);
    return canvas;
  }
}

/** The very point of the finger. */
function cross(pen: CanvasRenderingContext2D, ratio: number): void {
  const middle = RADIUS * ratio;
  for (const [colour, width] of [
    ["#fff", 3],
    ["#1457b8", 1],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width * ratio;
    pen.beginPath();
    pen.moveTo(middle - 10 * ratio, middle);
    pen.lineTo(middle + 10 * ratio, middle);
    pen.moveTo(middle, middle - 10 * ratio);
    pen.lineTo(middle, middle + 10 * ratio);
    pen.stroke();
  }
}
