/** The blocks of the view with which a slide opens, requested while its manifest is still on its way (WI138). */
import { API, part } from "../http/api";
import { request } from "../http/http";
import { slideStore } from "../stored/slideStore";
import type { Frame } from "./batchFrames";
import type { BlockRange } from "./slideClient";

/** Pixels of `level` from the level-0 pixel (x, y) on; without a level the whole slide, in so many device pixels (WI139). */
export interface ViewQuery {
  readonly width: number;
  readonly height: number;
  readonly level?: number;
  readonly x?: number;
  readonly y?: number;
  readonly z?: number;
}

export interface BegunView {
  readonly id: string;
  readonly at: number;
  readonly parts: readonly BegunPart[];
}

export interface BegunPart {
  readonly control: AbortController;
  /** Null: nothing was requested, or it was refused. */
  readonly response: Promise<Response | null>;
}

/** What the service sends of a first view, of the version that is open. */
export interface FirstView {
  /** When it was requested. */
  readonly at: number;
  /** Without those that are no help. */
  readonly parts: readonly FirstPart[];
}

export interface FirstPart {
  readonly ranges: readonly BlockRange[];
  /** Where the part is larger than the service's limit, not of all ranges (WI141). */
  readonly frames: AsyncIterable<Frame>;
  readonly control: AbortController;
}

/** Milliseconds after which a view that no slide has taken is given up. */
const UNUSED_AFTER = 10_000;
/** Milliseconds that the thumbnail has for itself where the whole slide is in view: of this it shows what matters, in few bytes. */
const HEAD_START = 50;

let begun: BegunView | null = null;

/**
 * Requests the view in so many parts at the same time (WI144), once `before` has settled, unless blocks of the slide are stored in this browser:
 * they are not downloaded again.
 */
export function beginFirstView(id: string, query: ViewQuery, count: number, before?: Promise<unknown>): void {
  if (begun?.id === id) return;
  takeFirstView();
  const whenReady = ready(id, query, before);
  const parts = Array.from({ length: count }, (_, number) => {
    const control = new AbortController();
    const response = requested(id, { ...query, part: number, parts: count }, whenReady, control.signal);
    return { control, response: response.catch(() => null) }; // then the blocks are requested one round trip later
  });
  const own = { id, at: performance.now(), parts };
  begun = own;
  setTimeout(() => begun === own && takeFirstView(), UNUSED_AFTER);
}

/** What was begun for this slide, once; what was begun for another one is given up. */
export function takeFirstView(id?: string): BegunView | null {
  const found = begun;
  begun = null;
  if (found?.id === id) return found;
  for (const { control } of found?.parts ?? []) control.abort();
  return null;
}

/** Whether the view is to be requested, once it is time to. */
async function ready(id: string, { level }: ViewQuery, before?: Promise<unknown>): Promise<boolean> {
  if (await slideStore.lookUp(id)) return false;
  await before?.catch(() => undefined);
  if (level === undefined) await new Promise((resolve) => setTimeout(resolve, HEAD_START));
  return true;
}

async function requested(
  id: string,
  query: ViewQuery & { readonly part: number; readonly parts: number },
  whenReady: Promise<boolean>,
  signal: AbortSignal,
): Promise<Response | null> {
  if (!(await whenReady)) return null;
  signal.throwIfAborted();
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const url = `${API}/slides/${part(id)}/first-view?${parameters}`;
  return request((input, init) => fetch(input, init), url, { signal });
}
