/** What the pages ask of the catalog. A service that does not answer is asked again until it does. */
import { QueryClient, keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { deleteSlide, listSlides, openManifest, renameSlide } from "../wire/catalogClient";
import { mayRecover } from "../wire/errors";

const LONGEST_WAIT = 4000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_count, error) => mayRecover(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, LONGEST_WAIT),
      networkMode: "always",
      refetchOnWindowFocus: true,
      staleTime: 5000,
    },
    mutations: { networkMode: "always" },
  },
});

/** What keeps a query from its answer now: an error, or the reason why it is being tried again. */
export function obstacleOf(query: { error: Error | null; failureReason: Error | null }): Error | null {
  return query.error ?? query.failureReason;
}

export function useSlides(search: string) {
  return useInfiniteQuery({
    queryKey: ["slides", search],
    queryFn: ({ pageParam, signal }) => listSlides(search, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.reduce((n, page) => n + page.slides.length, 0) < last.total ? pages.length + 1 : null),
    placeholderData: keepPreviousData,
  });
}

export function useManifest(id: string) {
  return useQuery({
    queryKey: ["manifest", id],
    queryFn: ({ signal }) => openManifest(id, signal),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

export function useRename() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => renameSlide(id, title),
    onSuccess: () => client.invalidateQueries({ queryKey: ["slides"] }),
  });
}

export function useDelete() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => deleteSlide(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["slides"] }),
  });
}
