import OpenSeadragon from "openseadragon";
import { type Pyramid, TILE } from "@wavescope/core/geometry/pyramid";
import type { TileEngine } from "@wavescope/core/tiles/engine";
import type { TileHandle } from "@wavescope/core/tiles/handle";
import type { BaseLayer } from "../baseLayer";
import { HANDLE_TYPE } from "../handleType";
import { levelOf } from "./level";

/**
 * Tells OpenSeadragon the slide's geometry and gives it a handle for each tile. A job ends when there is something to draw in
 * the tile's place; until then OpenSeadragon draws coarser tiles. Jobs of tiles that left the view simply wait: the engine asks
 * for nothing on their behalf.
 */
export class WavescopeTileSource extends OpenSeadragon.TileSource {
  constructor(
    private readonly pyramid: Pyramid,
    private readonly engine: TileEngine,
    /** What the drawer lays under the tiles. */
    readonly baseLayer: BaseLayer,
    name: string,
  ) {
    super({
      width: pyramid.width,
      height: pyramid.height,
      tileSize: TILE,
      tileOverlap: 0,
      minLevel: 0,
      maxLevel: pyramid.top,
    });
    this.name = name;
  }

  private readonly name: string;

  override getTileUrl(osd_level: number, x: number, y: number): string {
    return `${this.name}/${levelOf(this.pyramid, osd_level)}/${x}/${y}`;
  }

  /**
   * Where a tile lies, in widths of the slide. A level's last pixels may reach beyond the slide's edge (each stands for
   * 2^level x 2^level pixels, the missing ones repeated), so that no level is drawn shifted or stretched against another.
   */
  override getTileBounds(osd_level: number, x: number, y: number, isSource?: boolean): OpenSeadragon.Rect {
    const level = levelOf(this.pyramid, osd_level);
    const { width, height } = this.pyramid.tileSize(level, x, y);
    if (isSource) return new OpenSeadragon.Rect(0, 0, width, height);
    const scale = 2 ** level / this.pyramid.width;
    return new OpenSeadragon.Rect(x * TILE * scale, y * TILE * scale, width * scale, height * scale);
  }

  /** A tile that has a picture; null where there is none (yet). */
  pictured(level: number, x: number, y: number): TileHandle | null {
    const handle = this.engine.peek(level, x, y);
    return handle?.picture ? handle : null;
  }

  override hasTransparency(): boolean {
    return false;
  }

  override downloadTileStart(job: OpenSeadragon.ImageJob): void {
    const { level, x, y } = job.tile;
    const handle = this.engine.handle(levelOf(this.pyramid, level), x, y);
    this.engine.whenDrawable(handle, () => {
      if (job.jobId !== null) job.finish(handle.retain(), null, HANDLE_TYPE);
    });
  }

  /** OpenSeadragon itself ends the job; none of our code depends on it. */
  override downloadTileAbort(): void {
    return undefined;
  }
}
