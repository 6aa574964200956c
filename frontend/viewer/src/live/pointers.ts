/** Cursors and laser pointers over a viewer: each with its colour and name, at its position in the slide in any rotation. */
import type { Microscope } from "../core/microscope";
import { onScreen } from "../navigation/pointing";
import type { Pointed } from "./ownPointer";

export interface Pointer {
  readonly id: string;
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly l0_x: number;
  readonly l0_y: number;
  readonly laser: boolean;
  /** `near`: while the pointer of this window's user is near it. */
  readonly label: "shown" | "near" | "hidden";
}

/** Milliseconds for which the trace of a laser pointer is seen, and in which the pointer fades. */
const TRACE = 700;
/** CSS pixels from a pointer within which its name is shown on hover. */
const NEAR = 28;
const MAX_SHOWN = 64;
const SVG = "http://www.w3.org/2000/svg";
const ARROW = "M1 1 L1 17 L5.5 13 L8.5 19.5 L11.5 18 L8.5 12 L14 11.5 Z";

interface Shown {
  readonly root: HTMLElement;
  readonly label: HTMLElement;
  readonly trace: SVGPolylineElement;
  pointer: Pointer;
  past: { readonly l0_x: number; readonly l0_y: number; readonly time: number }[];
}

export class PointerLayer {
  private readonly root = document.createElement("div");
  private readonly traces = document.createElementNS(SVG, "svg");
  private readonly shown = new Map<string, Shown>();
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  private frame: number | null = null;
  private hovered: Pointed = null;
  private readonly update = (): void => this.draw();

  constructor(private readonly microscope: Microscope) {
    this.root.dataset.testid = "session-pointers";
    this.root.setAttribute("aria-hidden", "true");
    this.root.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    this.traces.style.cssText = "position:absolute;inset:0;width:100%;height:100%";
    this.root.append(this.traces);
    microscope.viewer.canvas.append(this.root);
    microscope.viewer.addHandler("update-viewport", this.update);
    microscope.viewer.addHandler("flip", this.update);
  }

  /** All that are to be seen; those not named are gone, lasers fade. */
  set(pointers: readonly Pointer[]): void {
    const named = new Set(pointers.map(({ id }) => id));
    for (const id of this.shown.keys()) if (!named.has(id)) this.remove(id);
    for (const pointer of pointers.slice(0, MAX_SHOWN)) this.showPointer(pointer);
    this.scheduleDraw();
  }

  /** Where the pointer of this window's user is. */
  hover(at: Pointed): void {
    this.hovered = at;
    if ([...this.shown.values()].some(({ pointer }) => pointer.label === "near")) this.scheduleDraw();
  }

  close(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.microscope.viewer.removeHandler("update-viewport", this.update);
    this.microscope.viewer.removeHandler("flip", this.update);
    this.root.remove();
  }

  private showPointer(pointer: Pointer): void {
    const before = this.shown.get(pointer.id);
    const existing =
      before &&
      before.pointer.laser === pointer.laser &&
      before.pointer.name === pointer.name &&
      before.pointer.color === pointer.color;
    if (!existing) {
      this.remove(pointer.id);
      this.shown.set(pointer.id, this.createPointer(pointer));
    }
    const entry = this.shown.get(pointer.id)!;
    const { l0_x, l0_y, laser } = pointer;
    const moved = entry.pointer.l0_x !== l0_x || entry.pointer.l0_y !== l0_y || entry.past.length === 0;
    if (laser && moved && !this.reducedMotion.matches) entry.past.push({ l0_x, l0_y, time: performance.now() });
    entry.pointer = pointer;
  }

  private remove(id: string): void {
    const entry = this.shown.get(id);
    if (!entry) return;
    this.shown.delete(id);
    entry.trace.remove();
    if (!entry.pointer.laser || this.reducedMotion.matches) return entry.root.remove();
    delete entry.root.dataset.pointer;
    const fading = entry.root.animate({ opacity: [1, 0] }, { duration: TRACE, fill: "forwards" });
    fading.onfinish = () => entry.root.remove();
  }

  private createPointer(pointer: Pointer): Shown {
    const { id, name, color, laser } = pointer;
    const root = document.createElement("div");
    const tag = label(name, color, laser);
    root.dataset.pointer = id;
    root.dataset.kind = laser ? "laser" : "cursor";
    root.style.cssText = "position:absolute;left:0;top:0;width:0;height:0;will-change:transform";
    root.append(laser ? dot(color) : arrow(color), tag);
    this.root.append(root);
    const trace = document.createElementNS(SVG, "polyline");
    trace.style.cssText = `fill:none;stroke:${color};stroke-width:5;stroke-linecap:round;stroke-linejoin:round;opacity:0.55`;
    this.traces.append(trace);
    return { root, label: tag, trace, pointer, past: [] };
  }

  private scheduleDraw(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  private draw(): void {
    const since = performance.now() - TRACE;
    let fading = false;
    const hovered = this.hovered && onScreen(this.microscope, this.hovered.l0_x, this.hovered.l0_y);
    for (const entry of this.shown.values()) {
      const { css_x, css_y } = onScreen(this.microscope, entry.pointer.l0_x, entry.pointer.l0_y);
      entry.root.style.transform = `translate(${css_x}px, ${css_y}px)`;
      const near = hovered !== null && Math.hypot(hovered.css_x - css_x, hovered.css_y - css_y) < NEAR;
      const { label: when } = entry.pointer;
      entry.label.hidden = when === "hidden" || (when === "near" && !near);
      entry.past = entry.past.filter(({ time }) => time > since);
      const points = entry.past.map(({ l0_x, l0_y }) => onScreen(this.microscope, l0_x, l0_y));
      entry.trace.setAttribute("points", points.map((point) => `${point.css_x},${point.css_y}`).join(" "));
      fading ||= entry.past.length > 0;
    }
    if (fading) this.scheduleDraw();
  }
}

function arrow(color: string): Element {
  const svg = document.createElementNS(SVG, "svg");
  svg.style.cssText = "position:absolute;left:-1px;top:-1px;width:17px;height:22px;overflow:visible";
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ARROW);
  path.style.cssText = `fill:${color};stroke:#fff;stroke-width:1.5;stroke-linejoin:round`;
  svg.append(path);
  return svg;
}

function dot(color: string): Element {
  const element = document.createElement("div");
  element.style.cssText = `position:absolute;left:-8px;top:-8px;width:16px;height:16px;border-radius:50%;background:radial-gradient(circle, #fff 0 25%, ${color} 45%);box-shadow:0 0 0 2px #fff, 0 0 14px 6px ${color}`;
  return element;
}

function label(name: string, color: string, laser: boolean): HTMLElement {
  const element = document.createElement("span");
  const at = laser ? "left:14px;top:10px" : "left:13px;top:17px";
  element.style.cssText = `position:absolute;${at};max-width:160px;padding:1px 7px;border-radius:9px;background:${color};color:${textColorOn(color)};font:600 12px/1.4 sans-serif;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;box-shadow:0 0 0 1px rgb(255 255 255 / 85%)`;
  element.textContent = name;
  return element;
}

/** Black or white, whichever is read more easily on a colour (relative luminance of WCAG). */
export function textColorOn(color: string): "#000" | "#fff" {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}
