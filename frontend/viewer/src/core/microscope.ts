/** The microscope without its controls: an OpenSeadragon viewer, the engine behind it, and the state the controls show. */
import type OpenSeadragon from "openseadragon";
import { type Region, levelForScale, tilesInRegion } from "@wavescope/core/geometry/field";
import { Pyramid, keyOf } from "@wavescope/core/geometry/pyramid";
import type { MixEntries } from "@wavescope/core/tiles/channels/mixEntries";
import { TileEngine } from "@wavescope/core/tiles/engine";
import type { TileHandle } from "@wavescope/core/tiles/handle";
import type { Meter } from "@wavescope/core/tiles/meter";
import type { PictureSource, RgbaPixels, SourceMemory } from "@wavescope/core/tiles/pictures";
import type { View } from "@wavescope/core/tiles/scheduler";
import { sharpLayers } from "@wavescope/core/tiles/sharpness";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { budgetsFor } from "./device/budgets";
import { BaseLayer } from "./baseLayer";
import { registerHandleType, unregisterHandles } from "./handleType";
import { dropTile, cachedTileCount } from "./openseadragon/internals";
import { levelOf, osdLevelOf } from "./openseadragon/level";
import { openViewer } from "./openseadragon/options";
import { openConnected } from "./opening";
import { type Alignment, SlideViewport } from "./openseadragon/slideViewport";
import { thumbnailOf } from "./thumbnail";
import { WavescopeTileSource } from "./openseadragon/tileSource";
import { type ViewStore, createViewStore, qualityOf } from "./viewState";

export interface MemoryFigures extends SourceMemory {
  readonly bitmapBytes: number;
  readonly osdTiles: number;
}

export class Microscope {
  readonly pyramid: Pyramid;
  readonly state: ViewStore = createViewStore();
  readonly meter: Meter;
  readonly viewer: OpenSeadragon.Viewer;
  /** Where the slide's thumbnail is, which this page has already. */
  readonly thumbnail: string;
  private readonly engine: TileEngine;
  private readonly viewport: SlideViewport;
  private readonly baseLayer: BaseLayer;
  private image: OpenSeadragon.TiledImage | null = null;
  private drawnTiles = new Set<TileHandle>();
  private moving = false;
  private closed = false;
  private wantedPlane: number;
  private lastView = "";
  private updateScheduled = false;
  private readonly online = (): void => this.source.retryNow();
  private readonly forget = (handle: TileHandle): void => this.engine.forget(handle);

  /** Opens a slide in an element; `microscopes`: how many share the device; `mix`: of its channels, at first. */
  static async open(
    element: HTMLElement,
    manifest: Manifest,
    fallback: string | null,
    plane: number,
    microscopes = 1,
    mix: MixEntries | null = null,
  ): Promise<Microscope> {
    const budgets = budgetsFor(navigator, microscopes);
    const opened = await openConnected(manifest, budgets, fallback, microscopes === 1, mix);
    const { source, meter, fallback: fallbackReason } = opened;
    const microscope = new Microscope(element, manifest, source, meter, budgets.bitmaps, plane);
    opened.connect(
      {
        changed: () => microscope.engine.sourceChanged(),
        offline: (offline) => microscope.state.setState({ offline }),
        stale: () => microscope.state.setState({ stale: true }),
      },
      () => microscope.scheduleUpdate(),
    );
    microscope.state.setState({ kind: source.kind, fallbackReason });
    return microscope;
  }

  private constructor(
    element: HTMLElement,
    readonly manifest: Manifest,
    readonly source: PictureSource,
    meter: Meter,
    bitmapBudget: number,
    plane: number,
  ) {
    this.meter = meter;
    this.wantedPlane = Math.min(Math.max(0, plane), manifest.planes - 1);
    this.pyramid = new Pyramid(manifest.width, manifest.height);
    this.engine = new TileEngine({
      pyramid: this.pyramid,
      channels: manifest.channels,
      layers: manifest.layers,
      sharp: sharpLayers(manifest),
      source,
      meter,
      budget: bitmapBudget,
      events: {
        redraw: () => this.viewer.forceRedraw(),
        changed: () => this.scheduleUpdate(),
        evict: (handle) => this.evict(handle),
      },
    });
    registerHandleType(this.forget);
    const thumbnail = thumbnailOf(manifest);
    this.thumbnail = thumbnail.src;
    this.baseLayer = new BaseLayer(this.engine, middlePlane(manifest.planes), source.ownVariant, thumbnail, () =>
      this.viewer.forceRedraw(),
    );
    const tiles = new WavescopeTileSource(
      this.pyramid,
      this.engine,
      this.baseLayer,
      `${manifest.id}@${manifest.digest}`,
    );
    this.viewer = openViewer(element, tiles);
    this.viewport = new SlideViewport(this.viewer, this.pyramid);
    this.listen();
  }

  get canvas(): HTMLCanvasElement {
    return this.viewer.drawer.canvas;
  }

  /** The focal plane looked at. */
  get plane(): number {
    return this.wantedPlane;
  }

  setPlane(z: number): void {
    const plane = Math.min(Math.max(0, Math.round(z)), this.manifest.planes - 1);
    if (plane === this.plane) return;
    this.wantedPlane = plane;
    this.updateField();
  }

  limitLayers(layers: number | null): void {
    this.engine.limitLayers(layers);
  }

  tileStates() {
    return this.engine.states();
  }

  /** Resolves when nothing moves and all tiles in view are drawn as well as they can be, or it is closed. */
  async idle(): Promise<void> {
    do {
      await frames(2);
      await this.engine.idle();
      if (this.closed) return;
      this.viewer.forceRedraw();
      await frames(2);
    } while (this.moving);
  }

  pixels(z: number, level: number, x: number, y: number, layers: number): Promise<RgbaPixels> {
    return this.source.pixels({ z, c: 0, level, x, y }, layers);
  }

  async memory(): Promise<MemoryFigures> {
    return {
      ...(await this.source.memory()),
      bitmapBytes: this.engine.bitmapBytes,
      osdTiles: cachedTileCount(this.viewer),
    };
  }

  /** The level-0 rectangle in view (where the slide is turned: before it was), and device pixels per level-0 pixel. */
  reading(current = true): { region: Region; scale: number } {
    return this.viewport.reading(current);
  }

  /**
   * Says which field may be looked at next (null: none is known), along the screen's axes before it is turned by `rotation` degrees. Its
   * first picture is fetched when what is in view is there.
   */
  prefetchHint(next: { readonly region: Region; readonly rotation: number; readonly plane: number } | null): void {
    if (!next) return this.engine.prefetchHint([]);
    const level = levelForScale(this.pyramid, this.viewport.scaleToFit(next.region));
    const plane = Math.min(next.plane, this.manifest.planes - 1);
    this.engine.prefetchHint(tilesInRegion(this.pyramid, plane, level, next.region, next.rotation));
  }

  /** Shows a level-0 rectangle. */
  fit(region: Region, immediately = true): void {
    this.viewport.fit(region, immediately);
    this.updateField();
  }

  /** See testHooks.ts. */
  async goTo(l0_x: number, l0_y: number, level: number): Promise<Alignment> {
    const { region, alignment } = this.viewport.align(l0_x, l0_y, level);
    this.moving = true;
    this.fit(region);
    await frames(3);
    this.endMotion();
    return alignment;
  }

  /** The view has jumped: what it needs is requested now, as a whole, and not once OpenSeadragon reports a motion. */
  jumped(): void {
    this.updateField();
  }

  /** Ends any motion where it leads to. */
  finishMoving(): void {
    this.viewport.finishMotion();
    this.updateField();
  }

  /** Where a level-0 point lies on the canvas, in device pixels. */
  toCanvas(l0_x: number, l0_y: number): { canvas_x: number; canvas_y: number } {
    if (!this.image) throw new Error("the slide is not open yet");
    return this.viewport.toCanvas(this.image, l0_x, l0_y);
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.online);
    this.source.close();
    this.baseLayer.close();
    this.viewer.destroy();
    this.engine.close();
    unregisterHandles(this.forget);
  }

  private listen(): void {
    const { viewer } = this;
    viewer.addHandler("open", () => {
      this.image = viewer.world.getItemAt(0);
      queueMicrotask(() => this.updateField()); // once all handlers of this event have run: one of them may show the wanted field first
    });
    viewer.addHandler("animation-start", () => (this.moving = true));
    viewer.addHandler("animation-finish", () => this.endMotion());
    viewer.addHandler("update-viewport", () => this.drawn());
    viewer.addHandler("resize", () => this.updateField());
    viewer.addHandler("flip", () => this.scheduleUpdate());
    viewer.addHandler("update-tile", (event) => {
      const { level, x, y } = event.tile;
      this.drawnTiles.add(this.engine.handle(levelOf(this.pyramid, level), x, y));
    });
    addEventListener("online", this.online);
  }

  private endMotion(): void {
    this.moving = false;
    this.updateField();
  }

  private drawn(): void {
    this.updateField();
    if (this.drawnTiles.size > 0) this.engine.setVisible(this.drawnTiles);
    this.drawnTiles = new Set();
    this.scheduleUpdate();
  }

  /** Gives the engine the field that the view is going to, when that has changed. */
  private updateField(): void {
    if (!this.image) return;
    const { region, scale } = this.reading(false);
    const level = levelForScale(this.pyramid, scale);
    const { plane } = this;
    const tiles = tilesInRegion(this.pyramid, plane, level, region, this.viewport.targetRotation());
    const next = neighbours(plane, this.manifest.planes).flatMap((z) => tiles.map((tile) => ({ ...tile, z })));
    const view: View = { z: plane, level, tiles, moving: this.moving, next };
    const name = `${plane} ${String(this.moving)} ${tiles.map(keyOf).join(" ")}`;
    if (name === this.lastView) return;
    this.lastView = name;
    this.engine.setView(view);
  }

  private evict(handle: TileHandle): void {
    dropTile(this.image, osdLevelOf(this.pyramid, handle.level), handle.x, handle.y);
  }

  /** Gathers what has changed until the next frame. */
  private scheduleUpdate(): void {
    if (this.updateScheduled) return;
    this.updateScheduled = true;
    requestAnimationFrame(() => {
      this.updateScheduled = false;
      const tiles = this.engine.states();
      const { region, scale } = this.reading();
      const level = levelForScale(this.pyramid, scale);
      this.state.setState({
        ...qualityOf(tiles, this.manifest.layers),
        plane: this.plane,
        region,
        ...this.viewport.turn(),
        scale,
        level,
        ...this.meter.totals(),
      });
    });
  }
}

/** The planes that focusing comes to next, nearest first. */
function neighbours(plane: number, planes: number): number[] {
  return [plane + 1, plane - 1, plane + 2, plane - 2].filter((z) => z >= 0 && z < planes);
}

/** After so many frames have been drawn. */
function frames(count: number): Promise<void> {
  return new Promise((resolve) => {
    const next = (left: number): void => {
      if (left === 0) resolve();
      else requestAnimationFrame(() => next(left - 1));
    };
    next(count);
  });
}
