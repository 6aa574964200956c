/** A tile source for any OpenSeadragon page: the page brings its own OpenSeadragon (SH21). */
import type OpenSeadragon from "openseadragon";
import { Pyramid, TILE } from "@wavescope/core/geometry/pyramid";
import type { Slide } from "./slide";

type Library = Pick<typeof OpenSeadragon, "TileSource" | "Rect"> & {
  readonly version: Readonly<Record<"major" | "minor" | "revision", number>>;
};

/** `openSeadragon`: the library's namespace, 4.1 or later; Error for an older one. The slide stays open until it is closed. */
export function tileSourceOf(openSeadragon: Library, slide: Slide, plane?: number): OpenSeadragon.TileSource {
  const { major, minor, revision } = openSeadragon.version;
  if (major < 4 || (major === 4 && minor < 1))
    throw new Error(`tileSourceOf needs OpenSeadragon 4.1 or later, this is ${major}.${minor}.${revision}`);
  const pyramid = new Pyramid(slide.width, slide.height);
  const levelOf = (osd_level: number): number => pyramid.top - osd_level;
  const aborted = new WeakSet<OpenSeadragon.ImageJob>();
  class WavescopeTileSource extends openSeadragon.TileSource {
    override getTileUrl(osd_level: number, x: number, y: number): string {
      return `wavescope:${slide.id}/${plane ?? "middle"}/${levelOf(osd_level)}/${x}/${y}`;
    }

    /** A level's last pixels may reach beyond the slide's edge: no level is shifted against another. */
    override getTileBounds(osd_level: number, x: number, y: number, isSource?: boolean): OpenSeadragon.Rect {
      const level = levelOf(osd_level);
      const { width, height } = pyramid.tileSize(level, x, y);
      if (isSource) return new openSeadragon.Rect(0, 0, width, height);
      const scale = 2 ** level / pyramid.width;
      return new openSeadragon.Rect(x * TILE * scale, y * TILE * scale, width * scale, height * scale);
    }

    override hasTransparency(): boolean {
      return false;
    }

    /** Before 6 a job takes a canvas instead of a context, has no `fail`, and may be answered again after its time. */
    override downloadTileStart(job: OpenSeadragon.ImageJob): void {
      const { level, x, y } = job.tile;
      job.errorMsg = null;
      const waits = (): boolean => job.jobId !== null && job.errorMsg === null && !aborted.has(job);
      void slide.tile({ level: levelOf(level), x, y, plane }).then(
        ({ rgba, width, height }) => {
          if (!waits()) return;
          const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d")!;
          context.putImageData(new ImageData(rgba, width, height), 0, 0);
          if (major < 6) job.finish(context.canvas, null);
          else job.finish(context, null, "context2d");
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          if (!waits()) return;
          if (major < 6) job.finish(null, null, message);
          else job.fail(message, null);
        },
      );
    }

    override downloadTileAbort(job: OpenSeadragon.ImageJob): void {
      aborted.add(job);
    }

    /** Before 6 the drawer for HTML shows a copy of the element, and a copy of a canvas is empty. */
    override getTileCacheDataAsImage(
      cache: OpenSeadragon.CacheRecord & { readonly _data: HTMLCanvasElement },
    ): HTMLImageElement {
      return Object.assign(new Image(), { src: cache._data.toDataURL() });
    }
  }
  const { width, height } = pyramid;
  return new WavescopeTileSource({ width, height, tileSize: TILE, tileOverlap: 0, minLevel: 0, maxLevel: pyramid.top });
}
