/**
 * Shows one overlay above the slide. The worker draws pictures that are larger than the view; while the view moves, CSS moves the picture along in the
 * same frame as the slide (overlays.md, OV48).
 */
import OpenSeadragon from "openseadragon";
import type { Box } from "@wavescope/core/geometry/shape";
import type { Hit, RegionSums, Ring, ShapeHit } from "@wavescope/core/overlays/hits";
import { type Loaded, TileLoader } from "@wavescope/core/overlays/loader";
import {
  type Drawn,
  type Totals,
  type ViewPlan,
  drawnOf,
  expectedShapes,
  fullDensity,
  keyOf,
  liesIn,
  nameOf,
  planView,
  totalsOf,
} from "@wavescope/core/overlays/plan";
import { drawnRaster, planRasterView } from "@wavescope/core/overlays/rasterPlan";
import { type Style, type StyleTables, tablesOf } from "@wavescope/core/overlays/style";
import { COUNTS_FROM, type ClassCounts, type TilePlace } from "@wavescope/core/overlays/tile";
import { type OverlayInfo, overlayTile, overlayTileUrl } from "@wavescope/core/wire/catalog/overlaysClient";
import { type Matrix, after, onSlide, sameMatrix, scaleOf, visibleBox } from "../annotate/paint/matrix";
import { moveCanvas, placeCanvas } from "../annotate/paint/movedCanvas";
import {
  type RasterPlan,
  isExact,
  isNear,
  onRaster,
  planRaster,
  velocityOf,
  viewTransform,
} from "../annotate/paint/rasterPlan";
import { viewMatrix } from "../annotate/paint/viewMatrix";
import type { Microscope } from "../core/microscope";
import type { Answers, Requests } from "./protocol";
import type { WorkerLink } from "./workerLink";

const SETTLE_MILLISECONDS = 120;
/** Of the view, that a picture has beyond it on each side. */
const MARGIN = 0.2;

/** What a picture shows. */
interface Picture extends RasterPlan {
  /** Names of all that is drawn. */
  readonly drawn: ReadonlySet<string>;
  /** Whether some of what the view wants is in it, not only what takes its place. */
  readonly isOwn: boolean;
  /** Whether it has more than the view. */
  readonly isWide: boolean;
  readonly tables: StyleTables;
  readonly ratio: number;
}

/** What is reported of a layer. */
export interface LayerStatus {
  readonly detail: ViewPlan["detail"] | null;
  /** Whether what is in view is here and drawn. */
  readonly settled: boolean;
  readonly damaged: number;
  /** Why it cannot be shown. */
  readonly refusal: unknown;
}

export interface LayerPorts {
  readonly link: WorkerLink;
  /** Of the overlay, among those that the worker has. */
  readonly number: number;
  /** Bytes of decoded tiles that it may store. */
  readonly budget: () => number;
  status(status: LayerStatus): void;
}

export class OverlayLayer {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("bitmaprenderer")!;
  private readonly loader: TileLoader;
  private tables: StyleTables;
  private readonly request: { readonly overlay: number; readonly raster: OverlayInfo["raster"] };
  /** From the pixels of the tiles to those of level 0: of shapes they are the same. */
  private readonly placed: Matrix;
  private visible = true;
  private view = { width: 1, height: 1 };
  private matrix: Matrix | null = null;
  private velocity: readonly [number, number] = [0, 0];
  private plan: ViewPlan | null = null;
  private drawn: readonly Drawn[] = [];
  /** Names of what is drawn, and of the part of it that lies in the view. */
  private names: readonly string[] = [];
  private namesInView: readonly string[] = [];
  /** Of the top tile. */
  private totals: Totals | null = null;
  private density = 0;
  private shown: Picture | null = null;
  private painting = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private frame: number | null = null;
  private closed = false;
  private reported = "";
  /** Of the last picture: who drew it, and milliseconds in the worker. */
  painted: { readonly painter: string; readonly milliseconds: number } | null = null;

  constructor(
    private readonly microscope: Microscope,
    readonly info: OverlayInfo,
    style: Style,
    private readonly ports: LayerPorts,
  ) {
    this.tables = tablesOf(style);
    this.request = { overlay: ports.number, raster: info.raster };
    this.placed = placedBy(info.raster);
    this.canvas.dataset.testid = "overlay-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    this.canvas.style.cssText = "position:absolute;pointer-events:none";
    const { link, number, budget } = ports;
    this.loader = new TileLoader(
      {
        load: (place, signal) => this.load(place, signal),
        forget: (key) => void link.ask("forget", { overlay: number, key }).catch(() => undefined),
        changed: () => this.invalidate(),
        later: (work, milliseconds) => void setTimeout(work, milliseconds),
      },
      budget,
    );
    this.invalidate();
  }

  get settled(): boolean {
    return (
      this.timer === null &&
      this.frame === null &&
      !this.painting &&
      this.loader.complete &&
      this.shown !== null &&
      this.matrix !== null &&
      this.serves(this.shown)
    );
  }

  /** Bytes of decoded tiles, and those that came over the wire. */
  get memory(): { readonly tiles: number; readonly received: number } {
    return { tiles: this.loader.bytes, received: this.loader.received };
  }

  setStyle(style: Style): void {
    this.tables = tablesOf(style);
    this.invalidate();
  }

  show(visible: boolean, opacity: number): void {
    this.visible = visible;
    this.canvas.style.display = visible ? "" : "none";
    this.canvas.style.opacity = String(opacity);
    if (visible) return this.invalidate();
    this.shown = null;
    this.context.transferFromImageBitmap(null);
  }

  /** Has the same drawn again. */
  repaint(): void {
    this.shown = null;
    this.painted = null;
    this.invalidate();
  }

  retry(): void {
    this.loader.retry();
  }

  close(): void {
    this.closed = true;
    this.loader.close();
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.canvas.remove();
    this.ports.link.ask("close", { overlay: this.ports.number }).catch(() => undefined);
  }

  /** Follows the view; called in the frame that draws the slide. */
  readonly update = (): void => {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    if (this.closed || !this.visible || !this.microscope.viewer.isOpen()) return;
    performance.mark("overlay-begin");
    this.follow(after(this.placed, viewMatrix(this.microscope)));
    this.work();
    this.report();
    performance.measure("overlay", "overlay-begin");
    performance.clearMeasures("overlay");
    performance.clearMarks("overlay-begin");
  };

  /** What lies at a level-0 point; `reach` in level-0 pixels. */
  async hit(at: readonly [number, number], reach: number): Promise<Hit | null> {
    if (!this.visible) return null;
    const { drawn, tables: style, placed } = this;
    const point = onSlide(placed, ...at);
    return this.ports.link.ask("hit", { ...this.request, drawn, style, at: point, reach: reach / scaleOf(placed) });
  }

  /** What is in a region that lies in the view. */
  async sums(ring: Ring): Promise<RegionSums> {
    const { drawn, tables: style } = this;
    return this.ports.link.ask("sums", { overlay: this.ports.number, drawn, style, ring });
  }

  /** How many shapes in view have each score; null where single ones are not drawn. */
  async histogram(): Promise<Uint32Array | null> {
    const { drawn, tables: style } = this;
    return this.ports.link.ask("histogram", { ...this.request, drawn, style });
  }

  /** The shape in view with the next higher or lower score than another. */
  async next(from: ShapeHit | null, by: 1 | -1): Promise<ShapeHit | null> {
    const { drawn, tables: style } = this;
    const box = visibleBox(viewMatrix(this.microscope), this.view.width, this.view.height);
    return this.ports.link.ask("next", { overlay: this.ports.number, drawn, style, box, from, by });
  }

  /** Lays what is seen over another picture of the view, device pixel for device pixel. */
  copyTo(pen: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D): void {
    if (!this.visible || !this.shown || !this.matrix) return;
    const { a, b, c, d, e, f } = viewTransform(this.shown, this.matrix);
    pen.save();
    pen.globalAlpha = Number(this.canvas.style.opacity || 1);
    pen.transform(a, b, c, d, e, f);
    pen.drawImage(this.canvas, this.shown.left, this.shown.top);
    pen.restore();
  }

  private invalidate(): void {
    this.frame ??= requestAnimationFrame(this.update);
  }

  /** The worker fetches, so that a tile does not wait for the page, which may be drawing; of a file, and what was refused, the page does. */
  private async load(place: TilePlace, signal: AbortSignal): Promise<Loaded> {
    const { info, microscope } = this;
    const { id, files } = microscope.manifest;
    const { link } = this.ports;
    const key = keyOf(place);
    const request = { ...this.request, key, scored: info.score !== null, counts: key === topKey(info.top) };
    const from = new URL(overlayTileUrl(id, info, place), location.href).href;
    const found =
      (files ? null : await link.ask("tile", { ...request, from }, { signal })) ??
      (await this.read(request, place, signal));
    if (found?.counts) this.setTop(found.counts);
    return found ?? { received: 0, bytes: 0 };
  }

  private async read(
    request: Omit<Requests["tile"], "from">,
    place: TilePlace,
    signal: AbortSignal,
  ): Promise<Answers["tile"]> {
    const { id, files } = this.microscope.manifest;
    const from = await overlayTile(id, this.info, place, signal, files?.fetcher);
    return from && this.ports.link.ask("tile", { ...request, from }, { transfer: [from.buffer] });
  }

  private setTop(counts: readonly ClassCounts[]): void {
    this.totals = totalsOf({ level: this.info.top, x: 0, y: 0 }, counts);
    this.density = fullDensity(this.totals);
  }

  private follow(matrix: Matrix): void {
    const { width, height } = this.microscope.canvas;
    if (this.view.width !== width || this.view.height !== height) {
      this.view = { width, height };
      this.shown = null;
      this.canvas.width = this.canvas.height = 1;
    }
    const before = this.matrix;
    this.matrix = matrix;
    if (before && !sameMatrix(before, matrix)) {
      this.velocity = velocityOf(before, matrix, this.view);
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = setTimeout(() => this.viewSettled(), SETTLE_MILLISECONDS);
    }
    this.wantTiles(visibleBox(matrix, width, height), scaleOf(matrix));
    if (this.shown) moveCanvas(this.canvas, this.shown, matrix, this.shown.ratio);
  }

  private wantTiles(box: Box, scale: number): void {
    const { info } = this;
    if (info.raster) {
      this.plan = planRasterView(info.raster, box, scale, this.plan?.level);
      this.loader.want([{ level: info.top, x: 0, y: 0 }, ...this.plan.tiles.filter(({ level }) => level !== info.top)]);
      return this.draw(
        drawnRaster(this.plan, info.top, (key) => this.loader.stateOf(key)),
        box,
      );
    }
    const overlay = { ...info, classes: info.classes.length };
    this.plan = planView(overlay, box, scale, expectedShapes(overlay, box, this.totals), this.plan?.detail ?? null);
    const top = info.top >= COUNTS_FROM ? [{ level: info.top, x: 0, y: 0 }] : [];
    this.loader.want([...top, ...this.plan.tiles.filter(({ level }) => level !== info.top || top.length === 0)]);
    this.draw(
      drawnOf(this.plan, info.top, (key) => this.loader.stateOf(key)),
      box,
    );
  }

  private draw(drawn: readonly Drawn[], box: Box): void {
    this.drawn = drawn;
    this.names = this.drawn.map(nameOf);
    this.namesInView = this.drawn.filter((one) => liesIn(one, box)).map(nameOf);
  }

  private viewSettled(): void {
    this.timer = null;
    this.velocity = [0, 0];
    this.invalidate();
  }

  private serves(picture: Picture): boolean {
    const isCurrent =
      picture.tables === this.tables &&
      picture.ratio === OpenSeadragon.pixelDensityRatio &&
      (picture.isWide || !this.wantsWide);
    const has = (names: readonly string[]): boolean => names.every((name) => picture.drawn.has(name));
    const [matrix, { view }] = [this.matrix!, this];
    if (this.timer === null || !picture.isWide) return isCurrent && isExact(picture, matrix, view) && has(this.names);
    // While the view moves: one picture for all tiles that come together; what reaches in from beyond may be missing.
    return isCurrent && isNear(picture, matrix, view) && (!this.loader.complete || has(this.namesInView));
  }

  /** A view that leapt is drawn alone, so that it is here soon; one that moves or rests with more around it. */
  private get wantsWide(): boolean {
    return (this.timer === null && this.loader.complete) || this.velocity.some((pixels) => pixels !== 0);
  }

  /** Has another picture drawn, if the one that is shown does not serve the view. */
  private work(): void {
    if (this.painting || !this.matrix || (this.shown && this.serves(this.shown))) return;
    if (this.drawn.length === 0 && !this.shown && !this.loader.complete) return;
    const ratio = OpenSeadragon.pixelDensityRatio;
    const isWide = this.wantsWide;
    const plan = planRaster(this.matrix, this.view, this.velocity, isWide ? MARGIN : 0);
    const isOwn = this.drawn.some(({ window }) => !window);
    void this.paint({ ...plan, drawn: new Set(this.names), isOwn, isWide, tables: this.tables, ratio });
  }

  private async paint(picture: Picture): Promise<void> {
    this.painting = true;
    try {
      const { width, height, ratio, tables: style } = picture;
      const { drawn, density } = this;
      const scene = { drawn, matrix: onRaster(picture), width, height, ratio, style, density };
      const { bitmap, ...painted } = await this.ports.link.ask("paint", { ...this.request, scene });
      this.painted = painted;
      if (this.closed || !this.visible || bitmap.width !== width) return bitmap.close();
      this.display(picture, bitmap);
      this.invalidate();
    } catch (refusal) {
      this.closed = true; // the worker has ended, or has no memory for the picture
      this.ports.status({ detail: null, settled: true, damaged: 0, refusal });
    } finally {
      this.painting = false;
    }
  }

  private display(picture: Picture, bitmap: ImageBitmap): void {
    this.shown = picture;
    performance.mark("overlay-picture", { detail: picture.isOwn }); // for benches
    performance.clearMarks("overlay-picture");
    this.context.transferFromImageBitmap(bitmap);
    placeCanvas(this.canvas, picture, picture.ratio);
    if (this.matrix) moveCanvas(this.canvas, picture, this.matrix, picture.ratio);
  }

  private report(): void {
    const { refusal, damaged } = this.loader;
    const status = { detail: this.plan?.detail ?? null, settled: this.settled, damaged: damaged.length, refusal };
    const name = `${status.detail} ${status.settled} ${status.damaged} ${refusal === null}`;
    if (name === this.reported) return;
    this.reported = name;
    this.ports.status(status);
  }
}

const placedBy = (raster: OverlayInfo["raster"]): Matrix => {
  const [a, c, e, b, d, f] = (raster?.transform ?? [1, 0, 0, 0, 1, 0]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { a, b, c, d, e, f };
};

const topKey = (top: number): string => `${top}/0/0`;
