/** What the pages ask of the catalog. A service that does not answer is asked again until it does. */
import { QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { mayRecover } from "@wavescope/core/wire/http/errors";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { openManifest } from "@wavescope/core/wire/slides/manifestClient";

const LONGEST_WAIT = 4000;
/** Milliseconds within which a page that asked for a manifest shows its slide. */
const SOON = 2000;
/** Milliseconds for which a manifest fetched ahead is good. */
const AHEAD = 60_000;

/** Asked or sent again as long as it may succeed, after a random part of a time that grows: not all at once who lost the service together (QZ29). */
export const AGAIN = {
  retry: (_count: number, error: Error) => mayRecover(error),
  retryDelay: (attempt: number) => Math.random() * Math.min(1000 * 2 ** attempt, LONGEST_WAIT),
};

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...AGAIN,
      networkMode: "always",
      refetchOnWindowFocus: true,
      staleTime: 5000,
    },
    mutations: { networkMode: "always" },
  },
});

/** What keeps a query from its answer now: an error, or the reason why it is being tried again. */
export function errorOf(query: { error: Error | null; failureReason: Error | null }): Error | null {
  return query.error ?? query.failureReason;
}

export const manifestQuery = (id: string) =>
  queryOptions({
    queryKey: ["manifest", id],
    queryFn: ({ signal }: { signal: AbortSignal }) => openManifest(id, signal),
    staleTime: Infinity,
  });

export function useManifest(id: string) {
  return useQuery({ ...manifestQuery(id), refetchOnWindowFocus: false, gcTime: 0 });
}

/** Asks for the manifest of the slide that the page is about to show. Undefined where it does not come: the page reports it. */
export async function beginManifest(id: string): Promise<Manifest | undefined> {
  await queryClient.query({ ...manifestQuery(id), gcTime: SOON }).catch(() => undefined);
  return queryClient.getQueryData<Manifest>(manifestQuery(id).queryKey);
}

/** Caches a manifest for a short while, for a slide that the user is likely to open next. */
export function fetchManifestAhead(client: QueryClient, id: string): Promise<Manifest> {
  return client.query({ ...manifestQuery(id), gcTime: AHEAD, staleTime: AHEAD, retry: false });
}

/** Everything that lists slides. */
export function refreshSlides(client: QueryClient): Promise<unknown> {
  const lists = ["slides", "facets", "cases", "case", "trash"];
  return Promise.all(lists.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
