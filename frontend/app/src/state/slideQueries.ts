/** The slides of the catalog: their list, and changes. Apart from the queries of the microscope, which come with its first load. */
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { PAGE, changeSlide, listSlides, tagSlides } from "@wavescope/core/wire/catalog/catalogClient";
import type { Sort } from "@wavescope/core/wire/catalog/sort";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { pagesOf } from "./listWindow";
import { errorOf, refreshSlides } from "./queries";

/** Slides that are chosen, or changed, at once. */
const MOST = 1000;

export function useSlides(search: string, labels: readonly string[] = [], sort: Sort = "newest") {
  return useInfiniteQuery({
    queryKey: ["slides", search, labels, sort],
    queryFn: ({ pageParam, signal }) => listSlides({ search, labels, sort }, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      pages.reduce((n, page) => n + page.slides.length, 0) < last.total ? pages.length + 1 : null,
    placeholderData: keepPreviousData,
  });
}

/** Those pages of a list, and how many slides it has. `slide(index)`: undefined until its page is here. */
export function useSlidePages(search: string, labels: readonly string[], sort: Sort, pages: readonly number[]) {
  const client = useQueryClient();
  const pageQuery = (number: number) =>
    queryOptions({
      queryKey: ["slides", "page", search, labels, sort, number],
      queryFn: ({ signal }: { signal: AbortSignal }) => listSlides({ search, labels, sort }, number, signal),
    });
  const first = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData });
  const found = useQueries({ queries: pages.map((number) => pageQuery(number)) });
  const byNumber = new Map(pages.map((number, i) => [number, found[i]!.data]));
  if (!byNumber.get(1)) byNumber.set(1, first.data);
  const slide = (index: number): SlideSummary | undefined => {
    const number = Math.floor(index / PAGE) + 1;
    const page = byNumber.get(number) ?? client.getQueryData(pageQuery(number).queryKey); // of one with the focus, far away
    return page?.slides[index % PAGE];
  };
  /** The slides from `from` to `to`, both included, as they are listed; at most as many as may be chosen at once, those next to `from`. */
  const between = async (from: number, to: number): Promise<readonly SlideSummary[]> => {
    const [low, high] = from < to ? [from, Math.min(to, from + MOST - 1)] : [Math.max(to, from - MOST + 1), from];
    const numbers = pagesOf({ first: low, end: high + 1 }, PAGE);
    const read = await Promise.all(numbers.map((number) => client.query(pageQuery(number))));
    const begin = (numbers[0]! - 1) * PAGE;
    return read.flatMap(({ slides }) => slides).slice(low - begin, high - begin + 1);
  };
  const failed = found.find(({ error, failureReason }) => error ?? failureReason);
  return { first, slide, between, error: errorOf(first) ?? (failed ? errorOf(failed) : null) };
}

interface SlideChange {
  readonly id: string;
  readonly title?: string;
  readonly tags?: Record<string, string | null>;
}

export function useChangeSlide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: SlideChange) => changeSlide(id, change),
    onSuccess: () => refreshSlides(client),
  });
}

/** The same tags for several slides. */
export function useChangeSlides() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, tags }: { ids: readonly string[]; tags: Record<string, string | null> }) => {
      for (let i = 0; i < ids.length; i += MOST) await tagSlides(ids.slice(i, i + MOST), tags);
    },
    onSettled: () => refreshSlides(client),
  });
}
