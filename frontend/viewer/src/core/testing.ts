/**
 * A microscope for tests without a browser: the parts of OpenSeadragon's viewport that the viewer's modules use, moving at once.
 * Tests that import it replace OpenSeadragon: `vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon)`.
 */
import { createStore } from "zustand/vanilla";
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "./microscope";
import { startState } from "./viewState";

export class FakePoint {
  constructor(
    readonly x = 0,
    readonly y = 0,
  ) {}
}

class FakeRect extends FakePoint {
  constructor(
    x: number,
    y: number,
    readonly width: number,
    readonly height: number,
  ) {
    super(x, y);
  }
}

export const fakeOpenSeadragon = {
  default: { Point: FakePoint, Rect: FakeRect, pixelDensityRatio: 1, DrawerBase: Object, TileSource: Object },
};

/** Widths of the slide are its unit; 1 is the zoom at which the slide is as wide as the container. */
class FakeViewport {
  container = new FakePoint(800, 600);
  private zoom = 1;
  private centre = new FakePoint(0.5, 0.5);
  private rotation = 0;
  private flip = false;

  constructor(private readonly raise: (name: string) => void) {}

  getContainerSize = (): FakePoint => this.container;
  getZoom = (): number => this.zoom;
  getCenter = (): FakePoint => this.centre;
  getRotation = (): number => this.rotation;
  getFlip = (): boolean => this.flip;

  getBoundsNoRotate(): FakeRect {
    const [width, height] = [1 / this.zoom, this.container.y / this.container.x / this.zoom];
    return new FakeRect(this.centre.x - width / 2, this.centre.y - height / 2, width, height);
  }

  setFlip(flip: boolean): void {
    if (flip === this.flip) return;
    this.flip = flip;
    this.raise("flip");
  }

  rotateTo(degrees: number): void {
    this.rotation = degrees;
    this.raise("rotate");
  }

  zoomTo(zoom: number): void {
    this.zoom = zoom;
    this.raise("zoom");
  }

  panTo(centre: FakePoint): void {
    this.centre = centre;
    this.raise("pan");
  }

  applyConstraints(): void {
    return undefined;
  }
}

/** An element of 800 x 600 CSS pixels, 100 to the right of the window's corner and 50 below it. */
class FakeContainer extends EventTarget {
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  readonly clientWidth = 800;
  readonly clientHeight = 600;
  readonly appended: unknown[] = [];

  append(...elements: unknown[]): void {
    this.appended.push(...elements);
  }

  getBoundingClientRect(): { left: number; top: number } {
    return { left: 100, top: 50 };
  }
}

export class FakeViewer {
  readonly viewport = new FakeViewport((name) => this.raiseEvent(name));
  readonly drawn: string[] = [];
  readonly world = { update: () => this.drawn.push("update"), draw: () => this.drawn.push("draw") };
  readonly element = new FakeContainer();
  readonly canvas = new FakeContainer();
  private readonly handlers = new Map<string, Set<(event: unknown) => void>>();

  addHandler(name: string, handler: (event: unknown) => void): void {
    this.handlers.set(name, (this.handlers.get(name) ?? new Set()).add(handler));
  }

  addOnceHandler(name: string, handler: (event: unknown) => void): void {
    const once = (event: unknown): void => {
      this.removeHandler(name, once);
      handler(event);
    };
    this.addHandler(name, once);
  }

  removeHandler(name: string, handler: (event: unknown) => void): void {
    this.handlers.get(name)?.delete(handler);
  }

  raiseEvent(name: string, event: unknown = {}): void {
    for (const handler of [...(this.handlers.get(name) ?? [])]) handler(event);
  }

  get handlerCount(): number {
    return [...this.handlers.values()].reduce((sum, handlers) => sum + handlers.size, 0);
  }

  /** What OpenSeadragon does in each frame in which the viewport has moved. */
  frame(): void {
    this.raiseEvent("viewport-change");
    this.raiseEvent("update-viewport");
  }

  /** The element gets another size. */
  resize(width: number, height: number): void {
    this.viewport.container = new FakePoint(width, height);
    this.raiseEvent("resize");
    this.raiseEvent("after-resize");
    this.raiseEvent("pan");
    this.raiseEvent("zoom");
    this.frame();
  }
}

export interface FakeSlide {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly mpp: { readonly x: number; readonly y: number } | null;
  readonly planeSpacingUm: number | null;
}

export class FakeMicroscope {
  readonly viewer = new FakeViewer();
  readonly pyramid: Pyramid;
  readonly state = createStore(() => startState);
  readonly hinted: unknown[] = [];
  readonly source = {};
  jumps = 0;
  plane = 0;

  constructor(readonly manifest: FakeSlide) {
    this.pyramid = new Pyramid(manifest.width, manifest.height);
  }

  setPlane(plane: number): void {
    this.plane = Math.min(Math.max(0, Math.round(plane)), this.manifest.planes - 1);
    this.state.setState({ plane: this.plane });
  }

  jumped(): void {
    this.jumps += 1;
  }

  prefetchHint(next: unknown): void {
    this.hinted.push(next);
  }

  reading() {
    const { x, y, width, height } = this.viewer.viewport.getBoundsNoRotate();
    const whole = this.manifest.width;
    const region = { l0_x: x * whole, l0_y: y * whole, l0_width: width * whole, l0_height: height * whole };
    return { region, scale: this.viewer.viewport.container.x / region.l0_width };
  }

  /** Of a slide that is not turned. */
  toCanvas(l0_x: number, l0_y: number): { canvas_x: number; canvas_y: number } {
    const { region, scale } = this.reading();
    return { canvas_x: (l0_x - region.l0_x) * scale, canvas_y: (l0_y - region.l0_y) * scale };
  }

  /** As what it stands in for. */
  get microscope(): Microscope {
    return stub<Microscope>(this);
  }
}
