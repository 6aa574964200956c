/** A tile source for any OpenSeadragon page: the page brings its own OpenSeadragon (SH21). */
import type OpenSeadragon from "openseadragon";
import { Pyramid, TILE } from "../geometry/pyramid";
import type { Slide } from "./slide";

type Library = Pick<typeof OpenSeadragon, "TileSource" | "Rect">;

/** `openSeadragon`: the library's namespace, 5 or later. The slide stays open until it is closed. */
export function tileSourceOf(openSeadragon: Library, slide: Slide, plane?: number): OpenSeadragon.TileSource {
  const pyramid = new Pyramid(slide.width, slide.height);
  const levelOf = (osd_level: number): number => pyramid.top - osd_level;
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

    override downloadTileStart(job: OpenSeadragon.ImageJob): void {
      const { level, x, y } = job.tile;
      void slide.tile({ level: levelOf(level), x, y, plane }).then(
        ({ rgba, width, height }) => {
          const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d")!;
          context.putImageData(new ImageData(rgba as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
          if (job.jobId !== null) job.finish(context, null, "context2d");
        },
        (error: unknown) => {
          if (job.jobId !== null) job.fail(error instanceof Error ? error.message : String(error), null);
        },
      );
    }

    override downloadTileAbort(): void {
      return undefined;
    }
  }
  const { width, height } = pyramid;
  return new WavescopeTileSource({ width, height, tileSize: TILE, tileOverlap: 0, minLevel: 0, maxLevel: pyramid.top });
}
