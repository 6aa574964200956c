/** What lies above the drawn objects, as SVG: the selected ones with their handles, the shape being drawn, and text. */
import { outlinesOf } from "@wavescope/core/geometry/outline";
import type { Part, Shape } from "@wavescope/core/geometry/shape";
import { type Handle, isNewCorner } from "../draw/editing";
import { type Matrix, onCanvas } from "./matrix";

const SVG = "http://www.w3.org/2000/svg";
const HANDLE = 4; // CSS pixels from its middle to its edge
const NEW_CORNER = 3; // its radius

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** What of the text is cut, shown as a tip. */
  readonly whole?: string;
  readonly strong?: boolean;
}

export interface ScreenArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One outline, in level-0 pixels relative to an origin so that no digits are lost. */
interface Line {
  readonly group: SVGGElement;
  readonly origin: readonly [number, number];
}

export class Marks {
  readonly root = document.createElementNS(SVG, "svg");
  private readonly shapes = this.root.appendChild(document.createElementNS(SVG, "g"));
  private readonly handles = this.root.appendChild(document.createElementNS(SVG, "path"));
  private readonly newCorners = this.root.appendChild(document.createElementNS(SVG, "path"));
  private readonly area = this.root.appendChild(document.createElementNS(SVG, "rect"));
  private readonly labels = this.root.appendChild(document.createElementNS(SVG, "g"));
  private lines: Line[] = [];

  constructor(name = "wavescope-marks") {
    this.root.setAttribute("class", name);
    this.root.setAttribute("aria-hidden", "true");
    this.root.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:hidden";
    this.handles.style.cssText = "fill:#fff;stroke:#1457b8;stroke-width:1.5";
    this.newCorners.style.cssText = "fill:#fff;stroke:#1457b8;stroke-width:1.5;opacity:0.8";
    this.newCorners.dataset.handles = "new";
    this.area.style.cssText = "fill:rgb(20 87 184 / 12%);stroke:#1457b8;stroke-width:1;stroke-dasharray:4 3";
    this.select(null);
  }

  /** Which outlines are shown; `update` positions them. */
  outline(shapes: readonly { readonly shape: Shape; readonly color: string; readonly strong?: boolean }[]): void {
    this.shapes.replaceChildren();
    this.lines = shapes.map(({ shape, color, strong }) => {
      const [x, y] = shape.parts[0] as [number, number];
      const group = this.shapes.appendChild(document.createElementNS(SVG, "g"));
      if (strong) group.dataset.pointed = "true";
      for (const [stroke, width] of strong
        ? ([
            ["#1b1c20", 9],
            ["#ffd43b", 7],
            [color, 2.5],
          ] as const)
        : ([
            ["#fff", 5],
            [color, 2.5],
          ] as const)) {
        const path = group.appendChild(document.createElementNS(SVG, "path"));
        path.setAttribute("d", pathOf(shape, x, y));
        path.style.cssText = `fill:none;stroke:${stroke};stroke-width:${width};stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke`;
      }
      return { group, origin: [x, y] };
    });
  }

  /** Places everything where the matrix (to device pixels) says. Handles and labels in level-0 pixels. */
  update(matrix: Matrix, ratio: number, handles: readonly Handle[], labels: readonly Label[]): void {
    const { a, b, c, d } = matrix;
    for (const { group, origin } of this.lines) {
      const [e, f] = onCanvas(matrix, ...origin);
      group.setAttribute("transform", `matrix(${[a, b, c, d, e, f].map((value) => value / ratio).join(" ")})`);
    }
    const paths = { corners: "", added: "" };
    for (const handle of handles) {
      const [x, y] = onCanvas(matrix, handle.x, handle.y).map((value) => value / ratio) as [number, number];
      if (isNewCorner(handle)) paths.added += dot(x, y);
      else paths.corners += square(x, y);
    }
    if (this.handles.getAttribute("d") !== paths.corners) this.handles.setAttribute("d", paths.corners);
    if (this.newCorners.getAttribute("d") !== paths.added) this.newCorners.setAttribute("d", paths.added);
    this.showLabels(matrix, ratio, labels);
  }

  /** The rectangle of the screen, in CSS pixels, in which objects are being selected; null: none. */
  select(area: ScreenArea | null): void {
    this.area.style.display = area ? "" : "none";
    for (const [name, value] of Object.entries(area ?? {})) this.area.setAttribute(name, String(value));
  }

  private showLabels(matrix: Matrix, ratio: number, labels: readonly Label[]): void {
    const { labels: group } = this;
    while (group.childElementCount > labels.length) group.lastElementChild!.remove();
    while (group.childElementCount < labels.length) group.appendChild(document.createElementNS(SVG, "text"));
    for (const [i, { x, y, text: content, whole = "", strong }] of labels.entries()) {
      const text = group.children[i] as SVGTextElement;
      const [cx, cy] = onCanvas(matrix, x, y);
      text.setAttribute("transform", `translate(${(cx / ratio + 8).toFixed(1)} ${(cy / ratio - 8).toFixed(1)})`);
      const key = `${content}\n${whole}`;
      if (text.dataset.of !== key) {
        text.dataset.of = key;
        text.textContent = content;
        if (whole) text.appendChild(document.createElementNS(SVG, "title")).textContent = whole;
        text.style.pointerEvents = whole ? "auto" : ""; // events go on to the viewer around it
      }
      text.setAttribute("class", strong ? "wavescope-label strong" : "wavescope-label");
    }
  }
}

/** The text as they stand on the screen (global.css), in a picture of the canvas. */
export function paintLabels(
  pen: CanvasRenderingContext2D,
  matrix: Matrix,
  ratio: number,
  labels: readonly Label[],
): void {
  pen.save();
  pen.lineJoin = "round";
  pen.lineWidth = 3 * ratio;
  for (const { x, y, text, strong } of labels) {
    const [cx, cy] = onCanvas(matrix, x, y);
    pen.font = `${strong ? 700 : 600} ${12 * ratio}px sans-serif`;
    pen.strokeStyle = "#fff";
    pen.fillStyle = "#1b1c20";
    pen.strokeText(text, cx + 8 * ratio, cy - 8 * ratio);
    pen.fillText(text, cx + 8 * ratio, cy - 8 * ratio);
  }
  pen.restore();
}

function square(x: number, y: number): string {
  return `M${(x - HANDLE).toFixed(1)} ${(y - HANDLE).toFixed(1)}h${2 * HANDLE}v${2 * HANDLE}h${-2 * HANDLE}z`;
}

function dot(x: number, y: number): string {
  const half = `a${NEW_CORNER} ${NEW_CORNER} 0 1 0 `;
  return `M${(x - NEW_CORNER).toFixed(1)} ${y.toFixed(1)}${half}${2 * NEW_CORNER} 0${half}${-2 * NEW_CORNER} 0z`;
}

function pathOf(shape: Shape, x0: number, y0: number): string {
  const isMark = shape.kind === "point" || shape.kind === "text";
  const parts: readonly Part[] = isMark ? shape.parts.flatMap(single) : outlinesOf(shape);
  return parts
    .map((part) => {
      let path = "";
      for (let i = 0; i < part.length; i += 2)
        path += `${i === 0 ? "M" : "L"}${+(part[i]! - x0).toFixed(3)} ${+(part[i + 1]! - y0).toFixed(3)}`;
      return path;
    })
    .join("");
}

/** A line of no length is drawn as a dot by its round caps. */
function single(part: Part): Part[] {
  return Array.from({ length: part.length / 2 }, (_, i) => [
    part[2 * i]!,
    part[2 * i + 1]!,
    part[2 * i]!,
    part[2 * i + 1]!,
  ]);
}
