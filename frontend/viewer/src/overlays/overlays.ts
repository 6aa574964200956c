/** The overlays of a microscope: opened at the first request, closed with the viewer. */
import { type StoreApi, createStore } from "zustand/vanilla";
import type { Hit, RegionSums, Ring } from "@wavescope/core/overlays/hits";
import type { Style } from "@wavescope/core/overlays/style";
import {
  type OverlayInfo,
  deleteOverlay,
  readOverlays,
  restoreOverlay,
} from "@wavescope/core/wire/catalog/overlaysClient";
import type { Microscope } from "../core/microscope";
import { lightOf, readLight, setLight } from "../light/light";
import { type LayerStatus, OverlayLayer } from "./layer";
import type { PainterChoice } from "./protocol";
import { type Settings, settingsFor } from "./settings";
import { type DrawnOverlays, setDrawnOverlays } from "./shown";
import { entriesOf, missingIn, withEntries } from "./viewEntries";
import { WorkerLink } from "./workerLink";

export interface OverlayEntry extends Settings {
  readonly info: OverlayInfo;
  /** Null while it is not shown. */
  readonly status: LayerStatus | null;
}

export interface OverlaysState {
  /** The first lies lowest; null until they are read. */
  readonly list: readonly OverlayEntry[] | null;
  /** Why they could not be read. */
  readonly failure: unknown;
  /** How many overlays the view shows that the slide does not have (OV64). */
  readonly missing: number;
}

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Bytes of decoded tiles of all overlays together. */
const BUDGET = 64e6;

export class Overlays implements DrawnOverlays {
  readonly state: StoreApi<OverlaysState> = createStore<OverlaysState>(() => ({
    list: null,
    failure: null,
    missing: 0,
  }));
  private readonly layers = new Map<string, OverlayLayer>();
  private readonly root = document.createElement("div");
  private link: WorkerLink | null = null;
  private numbers = 0;
  /** What was hidden together. */
  private hidden: readonly string[] = [];
  /** The entries of the view that are shown, as JSON. */
  private viewed = "null";

  constructor(readonly microscope: Microscope) {
    setDrawnOverlays(microscope, this);
    this.root.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    const { viewer } = microscope;
    const annotations = viewer.canvas.querySelector("[data-testid=annotation-canvas]");
    viewer.canvas.insertBefore(this.root, annotations);
    const update = (): void => this.layers.forEach((layer) => layer.update());
    const online = (): void => this.layers.forEach((layer) => layer.retry());
    viewer.addHandler("update-viewport", update);
    viewer.addOnceHandler("before-destroy", () => {
      viewer.removeHandler("update-viewport", update);
      removeEventListener("online", online);
      this.close();
    });
    addEventListener("online", online);
    const unsubscribe = lightOf(microscope).state.subscribe(() => this.follow());
    viewer.addOnceHandler("before-destroy", unsubscribe);
  }

  /** Reads the list, and shows the newest at first; what was chosen for those that are known stays. */
  async load(): Promise<void> {
    const { id, files, preview } = this.microscope.manifest;
    try {
      const infos = preview ? [] : await readOverlays(id, undefined, files?.fetcher);
      const known = this.state.getState().list ?? [];
      const newest = newestOf(infos);
      const list = infos.map((info): OverlayEntry => {
        const before = known.find((entry) => entry.info.id === info.id);
        return before ? { ...before, info } : { info, status: null, ...settingsFor(info, info === newest) };
      });
      const { overlays } = readLight(this.microscope);
      this.viewed = JSON.stringify(overlays);
      this.set(withEntries(list, overlays));
      this.state.setState({ failure: null, missing: missingIn(list, overlays) });
    } catch (failure) {
      this.state.setState({ failure });
    }
  }

  change(id: string, part: Partial<Omit<Settings, "style">> & { readonly style?: Partial<Style> }): void {
    this.choose(
      (this.state.getState().list ?? []).map((entry) =>
        entry.info.id === id ? { ...entry, ...part, style: { ...entry.style, ...part.style } } : entry,
      ),
    );
  }

  /** Hides all that are shown; shows them again, or all where none was. */
  toggleAll(): void {
    const list = this.state.getState().list ?? [];
    const shown = list.filter(({ visible }) => visible).map(({ info }) => info.id);
    const next = shown.length > 0 ? [] : this.hidden.filter((id) => list.some(({ info }) => info.id === id));
    this.hidden = shown;
    const all = shown.length === 0 && next.length === 0;
    this.choose(list.map((entry) => ({ ...entry, visible: all || next.includes(entry.info.id) })));
  }

  /** It can be restored. */
  async remove(id: string): Promise<void> {
    await deleteOverlay(this.microscope.manifest.id, id);
    this.choose((this.state.getState().list ?? []).filter(({ info }) => info.id !== id));
  }

  async restore(id: string): Promise<void> {
    await restoreOverlay(this.microscope.manifest.id, id);
    await this.load();
    this.change(id, { visible: true });
  }

  layer(id: string): OverlayLayer | null {
    return this.layers.get(id) ?? null;
  }

  /** What lies at a level-0 point, of the overlay that lies highest. */
  async hit(
    at: readonly [number, number],
    reach: number,
  ): Promise<{ readonly info: OverlayInfo; readonly hit: Hit } | null> {
    for (const { info, visible } of (this.state.getState().list ?? []).toReversed()) {
      const hit = visible ? await this.layers.get(info.id)?.hit(at, reach) : null;
      if (hit) return { info, hit };
    }
    return null;
  }

  async sums(ring: Ring): Promise<readonly { readonly info: OverlayInfo; readonly sums: RegionSums }[]> {
    const shown = (this.state.getState().list ?? []).filter(({ visible, info }) => visible && !info.raster);
    return Promise.all(shown.map(async ({ info }) => ({ info, sums: await this.layers.get(info.id)!.sums(ring) })));
  }

  /** For tests and benches. */
  async choosePainter(choice: PainterChoice): Promise<void> {
    await this.worker().ask("painter", { choice });
    for (const layer of this.layers.values()) layer.repaint();
  }

  /** Lays what is seen of all overlays over another picture of the view. */
  copyTo(pen: Pen): void {
    for (const { info } of this.state.getState().list ?? []) this.layers.get(info.id)?.copyTo(pen);
  }

  /** Shows what a person chose, as part of the view. */
  private choose(list: readonly OverlayEntry[]): void {
    this.set(list);
    const overlays = entriesOf(list);
    this.viewed = JSON.stringify(overlays);
    this.state.setState({ missing: 0 });
    setLight(this.microscope, { ...readLight(this.microscope), overlays });
  }

  /** Shows what the view shows, if that is another than before. */
  private follow(): void {
    const { list } = this.state.getState();
    const { overlays } = readLight(this.microscope);
    const viewed = JSON.stringify(overlays);
    if (!list || viewed === this.viewed) return;
    this.viewed = viewed;
    this.set(withEntries(list, overlays ?? entriesOf(startOf(list))));
    this.state.setState({ missing: missingIn(list, overlays) });
  }

  private set(list: readonly OverlayEntry[]): void {
    const before = this.state.getState().list ?? [];
    this.state.setState({ list });
    for (const { info } of before)
      if (!list.some((entry) => entry.info.id === info.id)) {
        this.layers.get(info.id)?.close();
        this.layers.delete(info.id);
      }
    for (const entry of list) {
      const { info, visible, opacity, style } = entry;
      const layer = this.layers.get(info.id) ?? (visible ? this.open(entry) : null);
      const old = before.find((other) => other.info.id === info.id);
      if (old && old.style !== style && !sameStyle(old.style, style)) layer?.setStyle(style);
      layer?.show(visible, opacity);
    }
    const canvases = list.flatMap(({ info }) => this.layers.get(info.id)?.canvas ?? []);
    if (canvases.some((canvas, i) => canvas !== this.root.children[i])) this.root.replaceChildren(...canvases);
  }

  private open({ info, style }: OverlayEntry): OverlayLayer {
    this.numbers += 1;
    const layer = new OverlayLayer(this.microscope, info, style, {
      link: this.worker(),
      number: this.numbers,
      budget: () => BUDGET / Math.max(1, this.layers.size),
      status: (status) => this.setStatus(info.id, status),
    });
    this.layers.set(info.id, layer);
    return layer;
  }

  private setStatus(id: string, status: LayerStatus): void {
    const { list } = this.state.getState();
    this.state.setState({ list: list && list.map((entry) => (entry.info.id === id ? { ...entry, status } : entry)) });
  }

  private worker(): WorkerLink {
    return (this.link ??= new WorkerLink());
  }

  private close(): void {
    for (const layer of this.layers.values()) layer.close();
    this.layers.clear();
    this.link?.close();
    this.root.remove();
  }
}

const newestOf = (infos: readonly OverlayInfo[]): OverlayInfo | undefined =>
  infos.filter(({ hidden }) => !hidden).toSorted((a, b) => b.created.localeCompare(a.created))[0];

/** As they are shown before anything is chosen. */
function startOf(list: readonly OverlayEntry[]): readonly OverlayEntry[] {
  const newest = newestOf(list.map(({ info }) => info));
  return list.map((entry) => ({ ...entry, ...settingsFor(entry.info, entry.info === newest) }));
}

const sameStyle = (a: Style, b: Style): boolean =>
  (Object.keys(a) as (keyof Style)[]).every((name) => a[name] === b[name]);

const opened = new WeakMap<Microscope, Overlays>();

export function overlaysOf(microscope: Microscope): Overlays {
  let overlays = opened.get(microscope);
  if (!overlays) opened.set(microscope, (overlays = new Overlays(microscope)));
  return overlays;
}
