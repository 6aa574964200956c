/** Requests what a slide's first view needs while the page is still being built. The microscope takes over the source with what has come. */
import { type Region, levelForScale, tilesInRegion } from "@wavescope/core/geometry/field";
import { type Address, Pyramid, type Size } from "@wavescope/core/geometry/pyramid";
import { type MixEntries, entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import { Meter } from "@wavescope/core/tiles/meter";
import type { PictureEvents } from "@wavescope/core/tiles/pictures";
import { type ViewQuery, beginFirstView } from "@wavescope/core/wire/slides/firstView";
import { pageLink } from "@wavescope/core/tiles/transport/link";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { type Budgets, budgetsFor } from "./device/budgets";
import { fallbackReason } from "./device/capabilities";
import { type OpenedSource, type SourceOptions, openSource, warmUp } from "./sources";
import { type ViewLink, parseViewLink } from "./viewLink";

export interface ConnectedSource extends OpenedSource {
  readonly meter: Meter;
  /** From now on events go to these; what happened before is reported at once. `counted`: the meter has changed. */
  readonly connect: (events: PictureEvents, counted: () => void) => void;
}

/** A session, a tour or a recording shows another view than its address. */
const OWN_VIEW = /^(\?case=[^&]*)?$/;
/** Above the top level of every slide. */
const MAX_LEVEL = 24;

/** CSS pixels of a wide window that the picture does not have: rail; top bar and status bar. A guess is enough. */
const CONTROLS = { width: 44, height: 76 };
/** Milliseconds after which a source that no microscope has taken over is closed. */
export const UNUSED_AFTER = 10_000;

/** Milliseconds for which what the browser stores may delay the first requests. */
const LONGEST_READ = 150;

let begun: { readonly manifest: Manifest; readonly opened: Promise<ConnectedSource> } | null = null;

/**
 * Begins with the view of a link (`hash`) in a window of this size, in CSS pixels. Nothing is begun where the page cannot decode.
 * Resolves once something was requested, or a short while later: what keeps the page busy may begin then.
 */
export async function beginOpening(manifest: Manifest, hash: string, window: Size, pixelRatio: number): Promise<void> {
  if (begun || manifest.preview || fallbackReason() !== null) return;
  const mix = entriesIn(parseViewLink(hash)?.adjustments ?? {});
  const first = { tiles: firstTiles(manifest, hash, window, pixelRatio), layers: manifest.layers };
  let opened!: Promise<ConnectedSource>;
  const requested = new Promise<void>((resolve) => {
    opened = connectable({ manifest, budgets: budgetsFor(navigator), fallback: null, first, mix }, resolve);
    setTimeout(resolve, LONGEST_READ);
  });
  opened.catch(() => undefined); // the microscope reports it
  const own = { manifest, opened };
  begun = own;
  setTimeout(() => begun === own && dropBegun(), UNUSED_AFTER);
  await requested;
}

/** Where a slide is about to be shown: its address without the path, the window in CSS pixels, device pixels of each. */
export interface Place extends Size {
  readonly search: string;
  readonly hash: string;
  readonly pixelRatio: number;
}

/**
 * Asks for the blocks of the first view of a slide whose manifest is only just being asked for. Where requests share one connection the blocks wait
 * for that: the service has them sooner, and nothing can be shown without the manifest.
 */
export function beginView(
  id: string,
  { search, hash, pixelRatio, ...window }: Place,
  manifest?: Promise<unknown>,
): void {
  const query = OWN_VIEW.test(search) && fallbackReason() === null ? viewQuery(hash, window, pixelRatio) : null;
  if (!query) return;
  const parts = query.level === undefined ? 1 : pageLink.lanes(Infinity); // a view of the whole slide shares the link with the thumbnail
  beginFirstView(id, query, parts, pageLink.isShared() ? manifest : undefined);
}

/** Starts what opening a slide will wait for, unless that has begun. */
export function prepareOpening(id: string, place: Place): void {
  if (begun) return;
  warmUp();
  beginView(id, place);
}

/** The source for a microscope: the one that was begun for this slide, else a new one. `alone`: no other microscope shares the device. */
export async function openConnected(
  manifest: Manifest,
  budgets: Budgets,
  fallback: string | null,
  alone: boolean,
  mix: MixEntries | null = null,
): Promise<ConnectedSource> {
  const fits = begun?.manifest.url === manifest.url && fallback === null && alone;
  if (!fits) dropBegun();
  const opened = begun?.opened ?? connectable({ manifest, budgets, fallback, mix });
  begun = null;
  return opened;
}

/** The tiles that the view of a link shows, nearest to its centre first; without one, the view of the whole slide. */
export function firstTiles(manifest: Manifest, hash: string, window: Size, pixelRatio: number): Address[] {
  const pyramid = new Pyramid(manifest.width, manifest.height);
  const { width, height } = pictureSize(window, pixelRatio);
  const link = parseViewLink(hash) ?? {
    l0_x: pyramid.width / 2,
    l0_y: pyramid.height / 2,
    scale: Math.min(width / pyramid.width, height / pyramid.height),
    rotation: 0,
    plane: middlePlane(manifest.planes),
  };
  const region = regionOf(link, { width, height });
  const plane = Math.min(link.plane, manifest.planes - 1);
  return tilesInRegion(pyramid, plane, levelForScale(pyramid, link.scale), region, link.rotation);
}

/** The same view as the service is asked for it before the manifest is here (WI139); null: it is turned. */
export function viewQuery(hash: string, window: Size, pixelRatio: number): ViewQuery | null {
  const { width, height } = pictureSize(window, pixelRatio);
  const link = parseViewLink(hash);
  if (!link) return { width: Math.round(width), height: Math.round(height) };
  if (link.rotation !== 0) return null;
  const level = levelForScale({ top: MAX_LEVEL }, link.scale);
  const { l0_x, l0_y, l0_width, l0_height } = regionOf(link, { width, height });
  const [x, y] = [Math.floor(l0_x), Math.floor(l0_y)];
  const inLevel = (l0_end: number): number => Math.ceil(l0_end / 2 ** level);
  return { width: inLevel(l0_x + l0_width - x), height: inLevel(l0_y + l0_height - y), level, x, y, z: link.plane };
}

function pictureSize(window: Size, pixelRatio: number): Size {
  const inDevice = (side: number, controls: number): number => Math.max(1, side - controls) * pixelRatio;
  return { width: inDevice(window.width, CONTROLS.width), height: inDevice(window.height, CONTROLS.height) };
}

function regionOf({ l0_x, l0_y, scale }: Pick<ViewLink, "l0_x" | "l0_y" | "scale">, { width, height }: Size): Region {
  const [l0_width, l0_height] = [width / scale, height / scale];
  return { l0_x: l0_x - l0_width / 2, l0_y: l0_y - l0_height / 2, l0_width, l0_height };
}

function dropBegun(): void {
  begun?.opened.then(
    ({ source }) => source.close(),
    () => undefined,
  );
  begun = null;
}

/** `requested`: called when a request is made, or what is stored needs none. */
async function connectable(
  options: Omit<SourceOptions, "meter" | "events">,
  requested = (): void => undefined,
): Promise<ConnectedSource> {
  const before = { offline: false, stale: false };
  let events: PictureEvents = {
    changed: requested,
    offline: (offline) => (before.offline = offline),
    stale: () => (before.stale = true),
  };
  let counted = requested;
  const meter = new Meter(() => counted());
  const passed: PictureEvents = {
    changed: () => events.changed(),
    offline: (offline) => events.offline(offline),
    stale: () => events.stale(),
  };
  const opened = await openSource({ ...options, meter, events: passed });
  const connect: ConnectedSource["connect"] = (to, onCount) => {
    [events, counted] = [to, onCount];
    if (before.offline) to.offline(true);
    if (before.stale) to.stale();
  };
  return { ...opened, meter, connect };
}
