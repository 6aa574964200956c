/* eslint @typescript-eslint/ban-ts-comment: off -- a project may be without React */
/** The slides of Wavescope in any page. */
import type { Rgba } from "./kernel.js";

export interface TileAddress {
  /** 0 is full resolution. */
  readonly level: number;
  readonly x: number;
  readonly y: number;
  /** Focal plane; the middle one if absent. */
  readonly plane?: number;
}

export interface Slide {
  readonly id: string;
  readonly title: string;
  /** Pixels of level 0. */
  readonly width: number;
  readonly height: number;
  /** The coarsest level. */
  readonly top: number;
  readonly planes: number;
  readonly layers: number;
  /** Micrometres per pixel of level 0; null: not known. */
  readonly mpp: { readonly x: number; readonly y: number } | null;
  /** RGBA of a tile of at most 256 x 256 pixels, made of its first `layers` (all if absent). RangeError, Error. */
  tile(
    tile: TileAddress,
    layers?: number,
  ): Promise<{ readonly width: number; readonly height: number; readonly rgba: Rgba }>;
  close(): void;
}

/** `src`: a slide of a service (`https://host/slides/ID`), an exported folder, or a `.wsz` file: its address, or the file itself. */
export function openSlide(src: string | File): Promise<Slide>;

/** A tile source, made of the page's own OpenSeadragon (4.1 or later; Error for an older one). The slide stays open until it is closed. */
export function tileSourceOf<Source>(
  openSeadragon: {
    readonly TileSource: new (...options: never[]) => Source;
    readonly version: { readonly major: number; readonly minor: number; readonly revision: number };
    readonly Rect: new (x: number, y: number, width: number, height: number) => object;
  },
  slide: Slide,
  plane?: number,
): Source;

export interface View {
  /** The centre of the view, in pixels of level 0. */
  readonly l0_x: number;
  readonly l0_y: number;
  /** Device pixels for each pixel of level 0. */
  readonly scale: number;
  /** Degrees, clockwise. */
  readonly rotation: number;
  readonly flip: boolean;
  readonly plane: number;
}

export interface ViewerAttributes {
  src?: string;
  plane?: number | string;
  /** How the channels of a slide are mixed: `0:FF0000:10-200:100,...`, channel, colour, window and gamma in hundredths. Absent: as the slide says. */
  channels?: string;
}

/** `<wavescope-viewer src="..." plane="1" channels="...">`. Events: `ready`, `view` (detail: View), `failure` (detail: the error). */
export class WavescopeViewer extends HTMLElement {
  /** A file of this computer in place of `src`. */
  source: File | null;
  readonly view: View | null;
  show(view: Partial<View>, immediately?: boolean): void;
}

/** Makes the element known to the page. */
export function defineViewer(name?: string): void;

declare global {
  interface HTMLElementTagNameMap {
    "wavescope-viewer": WavescopeViewer;
  }
}

// @ts-ignore: a project without React has no such module
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore: it has no such types, either
      "wavescope-viewer": DetailedHTMLProps<HTMLAttributes<WavescopeViewer>, WavescopeViewer> & ViewerAttributes;
    }
  }
}
