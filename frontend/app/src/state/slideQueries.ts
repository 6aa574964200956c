/** The slides of the catalog: their list, and changes. Apart from the queries of the microscope, which come with its first load. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Sort, changeSlide, listSlides } from "@wavescope/core/wire/catalog/catalogClient";
import { refreshSlides } from "./queries";

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
