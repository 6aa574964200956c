/** Asks the service about a slide that is open: a part that few visits need. */
import type { Manifest } from "./manifest";
import { fromStore, requested } from "./manifestClient";

/** The service answers again, and the slide is still the same. */
export function markChecked(manifest: Manifest): void {
  fromStore.setState(({ manifests }) => ({ manifests: new Map([...manifests].filter(([one]) => one !== manifest)) }));
}

/** The manifest as the service gives it now; null where an edge answers in its place. Throws what `call` throws. */
export async function checkManifest(id: string, signal?: AbortSignal): Promise<Manifest | null> {
  const { manifest, stale } = await requested(id, signal);
  return stale ? null : manifest;
}
