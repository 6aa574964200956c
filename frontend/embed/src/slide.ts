/** A slide for any page: of a service, of an exported folder or file, or a file of this computer (static.md, SH20). */
import { Pyramid, address } from "@wavescope/core/geometry/pyramid";
import { Meter } from "@wavescope/core/tiles/meter";
import type { RgbaPixels } from "@wavescope/core/tiles/pictures";
import { budgetsFor } from "@wavescope/viewer/core/device/budgets";
import { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
import { openSource } from "@wavescope/viewer/core/sources";
import { openArchive } from "@wavescope/core/wire/files/archive";
import { SlideFileError } from "@wavescope/core/wire/files/errors";
import { httpFile, httpFolder } from "@wavescope/core/wire/files/http";
import { localFile } from "@wavescope/core/wire/files/localFile";
import { openExport } from "@wavescope/core/wire/files/open";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { openRemote, serviceSlide } from "./remote";

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
  /** Level-0 pixels. */
  readonly width: number;
  readonly height: number;
  /** The coarsest level. */
  readonly top: number;
  readonly planes: number;
  readonly layers: number;
  /** Micrometres per level-0 pixel; null: not known. */
  readonly mpp: { readonly x: number; readonly y: number } | null;
  /** RGBA of a tile of at most 256 x 256 pixels, made of its first `layers` (all if absent). Throws RangeError, Error. */
  tile(tile: TileAddress, layers?: number): Promise<RgbaPixels>;
  close(): void;
}

/** The manifest of what `src` names: a slide of a service, an exported folder, a `.wsz` file by address or as a File. */
export async function manifestAt(src: string | File, base = document.baseURI): Promise<Manifest> {
  if (typeof src !== "string") return (await openExport(await openArchive(localFile(src)))).manifest;
  const url = URL.parse(src, base);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new SlideFileError("missing", `${src}: no address`);
  const served = serviceSlide(url);
  if (served) return openRemote(served);
  if (url.pathname.endsWith(".wsz")) return (await openExport(await openArchive(httpFile(url.href)))).manifest;
  const folder = url.pathname.endsWith("/") ? url : new URL(`${url.origin}${url.pathname}/`);
  return (await openExport(httpFolder(folder.href.replace(/[?#].*/, "")))).manifest;
}

/** Throws SlideFileError, ContractError, CorruptError, OfflineError, ProblemError. */
export async function openSlide(src: string | File): Promise<Slide> {
  const manifest = await manifestAt(src);
  const { id, title, width, height, top, planes, layers, mpp } = manifest;
  let fail: (error: Error) => void = () => undefined;
  const gone = new Promise<never>((_, reject) => (fail = reject));
  gone.catch(() => undefined); // those who wait for a tile report it
  const events = {
    changed: () => undefined,
    offline: () => undefined,
    stale: () => fail(new Error("the slide has a newer version, or is gone")),
  };
  const { source } = await openSource({
    manifest,
    meter: new Meter(() => undefined),
    budgets: budgetsFor(navigator),
    fallback: fallbackReason(""),
    events,
  });
  const pyramid = new Pyramid(width, height);
  return {
    ...{ id, title, width, height, top, planes, layers, mpp },
    tile: ({ level, x, y, plane = middlePlane(planes) }, count = layers) => {
      const tile = address(plane, level, x, y);
      const numbers = [plane, level, x, y, count];
      const valid = numbers.every(Number.isInteger) && pyramid.contains(tile) && plane >= 0 && plane < planes;
      if (!valid || count < 1 || count > layers) return Promise.reject(new RangeError("there is no such tile"));
      return Promise.race([source.pixels(tile, count), gone]);
    },
    close: () => {
      fail(new Error("the slide is closed"));
      source.close();
      manifest.files?.close();
    },
  };
}
