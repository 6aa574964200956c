/** Opens slides: with the service, or without it as they were seen before (PG24). */
import { createStore } from "zustand/vanilla";
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { OfflineError, isRefusal } from "../http/errors";
import { slideStore } from "../stored/slideStore";
import { type Manifest, manifestOf } from "./manifest";

/** Manifests of an earlier visit that are shown because the service does not answer. */
export const fromStore = createStore<{ readonly manifests: ReadonlySet<Manifest> }>(() => ({ manifests: new Set() }));

/** The service answers again, and the slide is still the same. */
export function markChecked(manifest: Manifest): void {
  fromStore.setState(({ manifests }) => ({ manifests: new Set([...manifests].filter((one) => one !== manifest)) }));
}

/**
 * The manifest as the service gives it now; where no service answers, the one of a visit a short while ago. What the service refuses
 * is no longer stored. Throws what `call` throws.
 */
export async function openManifest(id: string, signal?: AbortSignal): Promise<Manifest> {
  try {
    return await checkManifest(id, signal);
  } catch (error) {
    if (isRefusal(error)) await slideStore.forget(id);
    const document = error instanceof OfflineError ? await slideStore.manifest(id) : null;
    if (!document) throw error;
    const manifest = manifestOf(document as Wire.ManifestView);
    fromStore.setState(({ manifests }) => ({ manifests: new Set([...manifests, manifest]) }));
    return manifest;
  }
}

/** The manifest as the service gives it now. */
export async function checkManifest(id: string, signal?: AbortSignal): Promise<Manifest> {
  const document = await call("GET /slides/{slide_id}", { path: { slide_id: id }, signal });
  void slideStore.allow(id, document);
  return manifestOf(document);
}
