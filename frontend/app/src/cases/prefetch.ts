/** Fetches manifest and approximation of a case's neighbours ahead, so that a change of slide waits for nothing. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { fetchAhead } from "@wavescope/core/wire/http/api";
import { approximationUrls } from "@wavescope/core/wire/slides/slideClient";
import { fetchManifestAhead } from "../state/queries";

/** The view that is open comes first. */
const REST_MILLISECONDS = 400;

interface WithId {
  readonly id: string;
}

/** Prefetches these slides, the likelier first, when the page has had a moment for its own. */
export function usePrefetch(...slides: readonly (WithId | null)[]): void {
  const client = useQueryClient();
  const ids = slides.flatMap((slide) => (slide ? [slide.id] : [])).join("\n");
  useEffect(() => prefetchSlides(client, ids ? ids.split("\n") : []), [client, ids]);
}

/** The same without React; the answer ends it. A slide that fails is skipped: opening it reports the error. */
export function prefetchSlides(client: QueryClient, ids: readonly string[]): () => void {
  const life = new AbortController();
  const timer = ids.length > 0 ? setTimeout(() => void run(), REST_MILLISECONDS) : undefined;
  const run = async (): Promise<void> => {
    for (const id of ids) {
      if (life.signal.aborted) return;
      await fetchManifestAhead(client, id)
        .then((manifest) => warm(manifest, life.signal))
        .catch(() => undefined);
    }
  };
  return () => {
    clearTimeout(timer);
    life.abort();
  };
}

/** Brings the approximation of the plane that opens first into the browser's cache: its address never changes its content. */
function warm(manifest: Manifest, signal: AbortSignal): Promise<void> {
  return fetchAhead(approximationUrls(manifest, middlePlane(manifest.planes)), signal);
}
