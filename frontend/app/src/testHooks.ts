/**
 * What end-to-end tests (and curious people at the console) may ask of a running microscope: `window.__wavescope`.
 * Always present; every member but `page`, `comparison` and `complete` throws `Error("no slide is open")` while no slide is open.
 *
 * Coordinates: `l0_` level-0 pixels, `ln_` pixels of the named level, `canvas_` device pixels of the drawing canvas.
 * K is a number of layers: a tile drawn "at K" shows exactly pixels(tile, K).
 */
import type { DecodedPixels } from "@wavescope/core/codec/protocol";
import { type Fidelity, type TileState, fidelityOf } from "@wavescope/core/tiles/state";
import type { Counters } from "@wavescope/core/tiles/meter";
import type { Adjustments } from "@wavescope/viewer/light/adjustments";
import { readLight, setLight, shownCanvas } from "@wavescope/viewer/light/light";
import { turned } from "@wavescope/viewer/core/viewLink";
import type { MemoryFigures, Microscope } from "@wavescope/viewer/core/microscope";
import type { Alignment } from "@wavescope/viewer/core/openseadragon/slideViewport";
import type { ViewLink } from "@wavescope/viewer/core/viewLink";
import { fit } from "@wavescope/viewer/navigation/moves";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { complete, nothing } from "./closedHooks";

export interface TestHooks {
  /** "gallery", "slide" or "compare" (several slides: the hooks are those of the first one); null before the first render. */
  page: "gallery" | "slide" | "compare" | null;
  /** All slides, where several are open. */
  comparison: readonly TestHooks[] | null;
  /** The open slide. */
  slide(): { id: string; digest: string; width: number; height: number; top: number; layers: number; planes: number };
  /** The tiles of the wanted level inside the field of view, as drawn now: {z, level, x, y, K, stored, state, width, height, plane}. */
  tileState(): TileState[];
  fidelity(): Fidelity;
  /** Resolves when nothing moves and every tile of the field is exact (or at the limit set by limitLayers) or damaged, and drawn. */
  idle(): Promise<void>;
  /** Resolves when all parts of the slide page that come by themselves are here and rendered. */
  complete(): Promise<void>;
  /** What went over the wire since the page was opened (or since resetCounters): totals and one line per block range asked for. */
  counters(): Counters;
  resetCounters(): void;
  /** pixels(tile, K) made by the worker right now, fetching what is missing; RGBA of the unpadded tile. */
  decodePixels(address: { z: number; level: number; x: number; y: number }, layers: number): Promise<DecodedPixels>;
  memory(): Promise<MemoryFigures>;
  /** Draw no tile with more than K layers (null: all that the store holds). Tiles shown now are drawn anew. */
  limitLayers(layers: number | null): void;
  /** RGBA of a rectangle of the canvas as drawn, in device pixels. */
  readCanvas(
    x: number,
    y: number,
    width: number,
    height: number,
  ): { width: number; height: number; rgba: Uint8ClampedArray };
  /** Calls after each drawing of the canvas, until what it gives is called. */
  afterDraw(listener: () => void): () => void;
  /** The same rectangle as the screen shows it: with the light adjusted and the profile applied. */
  readShown(
    x: number,
    y: number,
    width: number,
    height: number,
  ): { width: number; height: number; rgba: Uint8ClampedArray };
  light: { read(): Adjustments; set(adjustments: Adjustments): void };
  annotations: {
    /** What is shown, how it is drawn, and whether all of it is saved. */
    state(): {
      count: number;
      selected: readonly string[];
      save: string;
      painter: "webgl" | "canvas";
      settled: boolean;
    };
    /** Objects that hold all words. */
    list(): {
      id: string;
      kind: string;
      name: string;
      class: string;
      parts: readonly (readonly number[])[];
      z: number;
    }[];
    /** Where a level-0 point lies in the viewer, in CSS pixels, with the rotation and flip of the slide. */
    inViewer(l0_x: number, l0_y: number): { x: number; y: number };
    /** RGBA of one device pixel of the annotations' own canvas. */
    readPixel(x: number, y: number): readonly number[];
    /** RGBA of all its device pixels. */
    readPicture(): { width: number; height: number; rgba: Uint8ClampedArray };
  };
  /** Comes with the code of overlays. */
  overlays?: {
    /** Of each overlay that was shown: what is drawn, who drew the last picture and how long it took, bytes of decoded tiles and of the wire. */
    state(): {
      id: string;
      name: string;
      visible: boolean;
      detail: string | null;
      settled: boolean;
      painter: string | null;
      milliseconds: number;
      tiles: number;
      received: number;
    }[];
    /** Who draws from now on; `auto`: WebGL where there is a graphics card. */
    choosePainter(choice: "auto" | "webgl" | "canvas"): Promise<void>;
    /** RGBA of all device pixels of the overlays in view. */
    readPicture(): { width: number; height: number; rgba: Uint8ClampedArray };
    /** Where a level-0 point lies in the viewer, in CSS pixels. */
    inViewer(l0_x: number, l0_y: number): { x: number; y: number };
  };
  viewport: {
    /** What is looked at (or being moved to), as links carry it. */
    viewLink(): ViewLink;
    /** Shows a view; fields that are not given do not change. */
    show(viewLink: Partial<ViewLink>, immediately: boolean): void;
    /**
     * Shows `level` at exactly 1:1 (one ln pixel = one device pixel) with the ln pixel that holds (l0_x, l0_y) in the canvas's
     * top left corner; the answer says which ln rectangle lies where on the canvas. Immediate, without animation.
     */
    goTo(l0_x: number, l0_y: number, level: number): Promise<Alignment>;
    /** Shows a level-0 rectangle in the part that no panel covers, immediately. */
    fit(l0_x: number, l0_y: number, l0_width: number, l0_height: number): void;
    setPlane(z: number): void;
    /** The level-0 rectangle in view and the scale in device pixels per level-0 pixel. */
    state(): {
      l0_x: number;
      l0_y: number;
      l0_width: number;
      l0_height: number;
      scale: number;
      rotation: number;
      flip: boolean;
      plane: number;
      level: number;
    };
    /** Where a level-0 point lies on the canvas now. */
    toCanvas(l0_x: number, l0_y: number): { canvas_x: number; canvas_y: number };
  };
}

declare global {
  interface Window {
    __wavescope: TestHooks;
  }
}

let hooksOfAnnotations: (microscope: Microscope) => TestHooks["annotations"] = nothing;

/** Called by annotationHooks.ts. */
export function addAnnotationHooks(make: (microscope: Microscope) => TestHooks["annotations"]): void {
  hooksOfAnnotations = make;
}

export function openHooks(microscope: Microscope): TestHooks {
  const { manifest, pyramid } = microscope;
  return {
    page: "slide",
    comparison: null,
    slide: () => {
      const { id, digest, width, height, layers, planes } = manifest;
      return { id, digest, width, height, top: pyramid.top, layers, planes };
    },
    tileState: () => microscope.tileStates(),
    fidelity: () => fidelityOf(microscope.tileStates()),
    idle: () => microscope.idle(),
    complete,
    counters: () => microscope.meter.counters(),
    resetCounters: () => microscope.meter.reset(),
    decodePixels: ({ z, level, x, y }, layers) => microscope.pixels(z, level, x, y, layers),
    memory: () => microscope.memory(),
    limitLayers: (layers) => microscope.limitLayers(layers),
    readCanvas: (x, y, width, height) => {
      const { data } = microscope.canvas.getContext("2d")!.getImageData(x, y, width, height);
      return { width, height, rgba: data };
    },
    afterDraw: (listener) => {
      microscope.viewer.addHandler("update-viewport", listener);
      return () => microscope.viewer.removeHandler("update-viewport", listener);
    },
    readShown: (x, y, width, height) => {
      const context = new OffscreenCanvas(width, height).getContext("2d")!;
      context.drawImage(shownCanvas(microscope), -x, -y);
      return { width, height, rgba: context.getImageData(0, 0, width, height).data };
    },
    light: { read: () => readLight(microscope), set: (adjustments) => setLight(microscope, adjustments) },
    get annotations() {
      return hooksOfAnnotations(microscope);
    },
    viewport: {
      viewLink: () => readViewLink(microscope),
      show: (viewLink, immediately) =>
        showViewLink(microscope, { ...readViewLink(microscope), ...viewLink }, immediately),
      goTo: (l0_x, l0_y, level) => microscope.goTo(l0_x, l0_y, level),
      fit: (l0_x, l0_y, l0_width, l0_height) => fit(microscope, { l0_x, l0_y, l0_width, l0_height }, true),
      setPlane: (z) => microscope.setPlane(z),
      state: () => {
        const { region, scale } = microscope.reading();
        const { plane, level } = microscope.state.getState();
        return {
          ...region,
          scale,
          rotation: turned(microscope.viewer.viewport.getRotation(true)),
          flip: microscope.viewer.viewport.getFlip(),
          plane,
          level,
        };
      },
      toCanvas: (l0_x, l0_y) => microscope.toCanvas(l0_x, l0_y),
    },
  };
}

/** Several slides beside each other. */
export function comparisonHooks(microscopes: readonly Microscope[]): TestHooks {
  const comparison = microscopes.map(openHooks);
  return Object.assign(openHooks(microscopes[0]!), { page: "compare" as const, comparison }); // a copy would read every getter
}
