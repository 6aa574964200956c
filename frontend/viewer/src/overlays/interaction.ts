/** Pointer over overlays: what lies under it, what is selected, and the region in which shapes are counted (overlays.md, OV50 to OV53). */
import OpenSeadragon from "openseadragon";
import { type StoreApi, createStore } from "zustand/vanilla";
import { type Shape, point, polygon } from "@wavescope/core/geometry/shape";
import type { Hit, RegionSums, Ring } from "@wavescope/core/overlays/hits";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import { Marks } from "../annotate/paint/marks";
import { onSlide, scaleOf } from "../annotate/paint/matrix";
import { viewMatrix } from "../annotate/paint/viewMatrix";
import type { Overlays } from "./overlays";

const REACH = 4; // CSS pixels by which a point may be missed
const LASSO_STEP = 3; // CSS pixels between two corners
const COLOR = "#1457b8";

export interface Found {
  readonly info: OverlayInfo;
  readonly hit: Hit;
}

export interface InteractionState {
  /** What is under the pointer, in CSS pixels of the viewer. */
  readonly pointed: (Found & { readonly x: number; readonly y: number }) | null;
  readonly selected: Found | null;
  /** What the next drag draws. */
  readonly tool: "box" | "lasso" | null;
  /** In level-0 pixels. */
  readonly region: Ring | null;
  readonly sums: readonly { readonly info: OverlayInfo; readonly sums: RegionSums }[] | null;
}

/** What else uses the pointer: drawing annotations. */
export interface PointerUse {
  isFree(): boolean;
  end(): void;
}

interface Position {
  readonly x: number;
  readonly y: number;
}

/** The part of OpenSeadragon's pointer events that is used here. */
interface CanvasPointerEvent {
  readonly position: Position;
  readonly quick?: boolean;
  readonly originalEvent?: Event;
  preventDefaultAction?: boolean;
}

const isTouch = ({ originalEvent }: CanvasPointerEvent): boolean =>
  originalEvent instanceof PointerEvent && originalEvent.pointerType === "touch";

const nothing: InteractionState = { pointed: null, selected: null, tool: null, region: null, sums: null };

export class OverlayInteraction {
  readonly state: StoreApi<InteractionState> = createStore<InteractionState>(() => nothing);
  private readonly marks = new Marks("wavescope-overlay-marks");
  private readonly listening = new AbortController();
  private readonly ends: (() => void)[] = [];
  private from: Position | null = null;
  private path: number[] = [];
  private pointer: Position | null = null;
  private asking = false;

  constructor(
    private readonly overlays: Overlays,
    private readonly pointerUse: PointerUse,
  ) {
    const { viewer } = overlays.microscope;
    viewer.canvas.append(this.marks.root);
    const on = (name: string, work: (event: CanvasPointerEvent) => void): void => {
      viewer.addHandler(name as never, work);
      this.ends.push(() => viewer.removeHandler(name as never, work));
    };
    on("update-viewport", () => this.moveMarks());
    on("canvas-press", (event) => this.press(event));
    on("canvas-drag", (event) => this.drag(event));
    on("canvas-release", (event) => this.release(event));
    on("canvas-click", (event) => this.click(event));
    const { signal } = this.listening;
    viewer.canvas.addEventListener("pointermove", (event) => this.move(event), { signal });
    viewer.canvas.addEventListener("pointerleave", () => this.leave(), { signal });
    let list = overlays.state.getState().list;
    this.ends.push(
      overlays.state.subscribe((state) => {
        if (state.list === list) return;
        list = state.list;
        void this.count();
      }),
    );
    viewer.addOnceHandler("before-destroy", () => this.close());
  }

  /** Draws a region with the next drag. */
  choose(tool: InteractionState["tool"]): void {
    if (tool) this.pointerUse.end();
    this.state.setState({ tool });
    this.overlays.microscope.viewer.canvas.style.cursor = tool ? "crosshair" : "";
  }

  /** Counts in all of the view. */
  countView(): void {
    const { clientWidth: width, clientHeight: height } = this.overlays.microscope.viewer.canvas;
    const corners = [
      { x: 0, y: 0 },
      { x: width, y: 0 },
      { x: width, y: height },
      { x: 0, y: height },
    ];
    this.setRegion(corners.flatMap((corner) => this.onSlide(corner)));
  }

  clearRegion(): void {
    this.state.setState({ region: null, sums: null });
    this.showMarks();
  }

  /** Selects the object of an overlay in view with the next higher or lower score. */
  async step(info: OverlayInfo, by: 1 | -1): Promise<void> {
    const { selected } = this.state.getState();
    const from = selected?.info.id === info.id && selected.hit.kind === "shape" ? selected.hit : null;
    const hit = (await this.overlays.layer(info.id)?.next(from, by)) ?? null;
    if (hit) this.select({ info, hit });
  }

  select(selected: Found | null): void {
    this.state.setState({ selected });
    this.showMarks();
  }

  private close(): void {
    this.listening.abort();
    for (const end of this.ends) end();
    this.marks.root.remove();
  }

  private get isOn(): boolean {
    return (this.overlays.state.getState().list ?? []).some(({ visible }) => visible);
  }

  private press(event: CanvasPointerEvent): void {
    if (isTouch(event)) this.leave();
    if (!this.state.getState().tool) return;
    this.from = event.position;
    this.path = [event.position.x, event.position.y];
  }

  private drag(event: CanvasPointerEvent): void {
    if (!this.from) return;
    event.preventDefaultAction = true;
    const { x, y } = event.position;
    const [lastX, lastY] = this.path.slice(-2) as [number, number];
    if (Math.hypot(x - lastX, y - lastY) >= LASSO_STEP) this.path.push(x, y);
    this.state.setState({ region: this.drawnRegion(event.position), sums: null });
    this.showMarks();
  }

  private release(event: CanvasPointerEvent): void {
    if (!this.from) return;
    const region = this.drawnRegion(event.position);
    this.from = null;
    this.choose(null);
    this.setRegion(region);
  }

  /** What was drawn so far, in level-0 pixels. */
  private drawnRegion({ x, y }: Position): Ring {
    const { tool } = this.state.getState();
    const { from } = this;
    const screen = tool === "box" ? [from!.x, from!.y, x, from!.y, x, y, from!.x, y] : this.path;
    return screen.flatMap((_, i) => (i % 2 === 0 ? this.onSlide({ x: screen[i]!, y: screen[i + 1]! }) : []));
  }

  private setRegion(region: Ring): void {
    if (region.length < 6) return this.clearRegion();
    this.state.setState({ region, sums: null });
    this.showMarks();
    void this.count();
  }

  private async count(): Promise<void> {
    const { region } = this.state.getState();
    if (!region || this.from) return;
    const sums = await this.overlays.sums(region).catch(() => null);
    if (this.state.getState().region === region) this.state.setState({ sums });
  }

  private click(event: CanvasPointerEvent): void {
    if (!event.quick || !this.isOn || !this.pointerUse.isFree()) return;
    const at = this.onSlide(event.position);
    void this.overlays.hit(at, this.reach()).then(
      (found) => {
        this.select(found && found.hit.kind !== "square" ? found : null);
        if (isTouch(event)) this.state.setState({ pointed: found && { ...found, ...event.position } });
      },
      () => undefined,
    );
  }

  private move(event: PointerEvent): void {
    if (event.pointerType !== "mouse" || event.buttons !== 0 || !this.isOn || !this.pointerUse.isFree())
      return this.leave();
    const box = this.overlays.microscope.viewer.canvas.getBoundingClientRect();
    this.pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
    void this.point();
  }

  /** Asks the worker, one question at a time. */
  private async point(): Promise<void> {
    if (this.asking || !this.pointer) return;
    this.asking = true;
    try {
      while (this.pointer) {
        const { pointer } = this;
        const found = await this.overlays.hit(this.onSlide(pointer), this.reach());
        if (this.pointer) this.state.setState({ pointed: found && { ...found, ...pointer } });
        if (this.pointer === pointer) return;
      }
    } catch {
      this.leave();
    } finally {
      this.asking = false;
    }
  }

  private leave(): void {
    this.pointer = null;
    if (this.state.getState().pointed) this.state.setState({ pointed: null });
  }

  private onSlide({ x, y }: Position): [number, number] {
    const ratio = OpenSeadragon.pixelDensityRatio;
    return onSlide(viewMatrix(this.overlays.microscope), x * ratio, y * ratio);
  }

  private reach(): number {
    return (REACH * OpenSeadragon.pixelDensityRatio) / scaleOf(viewMatrix(this.overlays.microscope));
  }

  private showMarks(): void {
    const { selected, region } = this.state.getState();
    const shapes = [
      selected && shapeOf(selected.hit),
      region && region.length >= 6 ? polygon("polygon", region) : null,
    ];
    this.marks.outline(shapes.flatMap((shape) => (shape ? [{ shape, color: COLOR }] : [])));
    this.moveMarks();
  }

  private moveMarks(): void {
    this.marks.update(viewMatrix(this.overlays.microscope), OpenSeadragon.pixelDensityRatio, [], []);
  }
}

/** A shape of an overlay as one of annotations; of a symbol its middle; null: it is no single shape. */
export function shapeOf(hit: Hit): Shape | null {
  if (hit.kind !== "shape") return null;
  const [first] = hit.rings;
  if (!first || first.length < 6) return point("point", ...hit.middle);
  const parts = hit.rings.filter((ring) => ring.length >= 6).map((ring) => [...ring, ring[0]!, ring[1]!]);
  return { kind: "polygon", type: "Polygon", parts, groups: [parts.length] };
}
