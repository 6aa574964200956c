/** Cases and facets as the pages ask for them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { listCases, readCase } from "@wavescope/core/wire/catalog/casesClient";
import { listFacets } from "@wavescope/core/wire/catalog/facetsClient";
import { refreshSlides } from "../state/queries";

export function useFacets(search: string, labels: readonly string[]) {
  return useQuery({
    queryKey: ["facets", search, labels],
    queryFn: ({ signal }) => listFacets(search, labels, signal),
    placeholderData: keepPreviousData,
  });
}

export function useCases() {
  return useQuery({ queryKey: ["cases"], queryFn: ({ signal }) => listCases(signal) });
}

/** A case; null: none is asked for. */
export function useCase(id: string | null) {
  return useQuery({ queryKey: ["case", id], queryFn: ({ signal }) => readCase(id!, signal), enabled: id !== null });
}

/** A change of a case: its answer is the case as it is now. */
export function useEditCase<Change>(edit: (change: Change) => Promise<Case>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: edit,
    onSuccess: (now) => {
      client.setQueryData(["case", now.id], now);
      return refreshSlides(client);
    },
    onError: () => client.invalidateQueries({ queryKey: ["case"] }),
  });
}
