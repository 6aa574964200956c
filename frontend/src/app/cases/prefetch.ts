/** Holding a case's neighbours ready, so that a change of slide waits for nothing: manifest and approximation. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Manifest, middlePlane } from "../../wire/slides/manifest";
import { fetchAhead } from "../../wire/http/api";
import { approximationUrls } from "../../wire/slides/slideClient";
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
  useEffect(() => {
    if (!ids) return;
    const life = new AbortController();
    const timer = setTimeout(() => {
      void (async () => {
        for (const id of ids.split("\n")) {
          if (life.signal.aborted) return;
          await fetchManifestAhead(client, id)
            .then((manifest) => warm(manifest, life.signal))
            .catch(() => undefined); // opening tells of it
        }
      })();
    }, REST_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      life.abort();
    };
  }, [client, ids]);
}

/** Brings the approximation of the plane that opens first into the browser's cache: its address never changes its content. */
function warm(manifest: Manifest, signal: AbortSignal): Promise<void> {
  return fetchAhead(approximationUrls(manifest, middlePlane(manifest.planes)), signal);
}
