/** Opens slides: with the service, or without it as they were seen before (PG24, ED22). */
import { createStore } from "zustand/vanilla";
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { OfflineError, isRefusal } from "../http/errors";
import { slideStore } from "../stored/slideStore";
import { type Manifest, manifestOf } from "./manifest";

/** What a slide is shown from while the service does not answer: the store of this browser, or an edge that has lost its origin (ED22). */
export type Substitute = "browser" | "edge";

/** Manifests that the service has not confirmed in this visit. */
export const fromStore = createStore<{ readonly manifests: ReadonlyMap<Manifest, Substitute> }>(() => ({
  manifests: new Map(),
}));

const STALE = /\bwavescope-edge;[^,]*\bfwd=stale\b/;

let begun: { readonly id: string; readonly manifest: Promise<Manifest> } | null = null;

/** `openManifest` for a slide that is about to be opened: the next call for it takes this answer. */
export function beginManifest(id: string): Promise<Manifest> {
  const manifest = opened(id);
  manifest.catch(() => undefined); // the next call reports it
  begun = { id, manifest };
  return manifest;
}

/**
 * The manifest as the service gives it now; where no service answers, the one that an edge has, or the one of a visit a short while ago.
 * What the service refuses is no longer stored. Throws what `call` throws.
 */
export function openManifest(id: string, signal?: AbortSignal): Promise<Manifest> {
  const early = begun;
  begun = null;
  return early?.id === id ? early.manifest : opened(id, signal);
}

async function opened(id: string, signal?: AbortSignal): Promise<Manifest> {
  void slideStore.lookUp(id);
  try {
    const { manifest, stale } = await requested(id, signal);
    return stale ? marked(manifest, "edge") : manifest;
  } catch (error) {
    if (isRefusal(error)) await slideStore.forget(id);
    const document = error instanceof OfflineError ? await slideStore.manifest(id) : null;
    if (!document) throw error;
    return marked(manifestOf(document as Wire.ManifestView), "browser");
  }
}

/** `stale`: an edge has answered that cannot reach its origin; then the answer confirms no right. */
export async function requested(id: string, signal?: AbortSignal): Promise<{ manifest: Manifest; stale: boolean }> {
  let stale = false;
  const document = await call("GET /slides/{slide_id}", {
    path: { slide_id: id },
    signal,
    responded: (headers) => (stale = STALE.test(headers.get("Cache-Status") ?? "")),
  });
  if (!stale) void slideStore.allow(id, document);
  return { manifest: manifestOf(document), stale };
}

function marked(manifest: Manifest, substitute: Substitute): Manifest {
  fromStore.setState(({ manifests }) => ({ manifests: new Map([...manifests, [manifest, substitute]]) }));
  return manifest;
}
