/** The tour that is followed or edited: which one and where in it is in the address (`?tour=ID&step=N`), its document in the cache. */
import { useQuery } from "@tanstack/react-query";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { type StoredTour, type Tour, type Waypoint, readTour } from "@wavescope/core/wire/catalog/toursClient";
import { queryClient } from "../state/queries";
import { caseQuery, navigate, slidePath, useQueryParameter } from "../state/router";

const keyOf = (id: string | null) => ["tour", id] as const;

export function useTour(id: string | null) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => readTour(id!, signal),
    enabled: id !== null,
    staleTime: Infinity,
  });
}

/** Makes a tour that was just answered the one that is shown. */
export function cacheTour(tour: StoredTour): void {
  queryClient.setQueryData(keyOf(tour.id), tour);
  void queryClient.invalidateQueries({ queryKey: ["tours"] });
}

/** Shows a change that is not saved yet. */
export function draftTour(id: string, tour: Tour): void {
  queryClient.setQueryData(keyOf(id), (cached: StoredTour | undefined) => cached && { ...cached, tour });
}

export function cachedTour(id: string): StoredTour | undefined {
  return queryClient.getQueryData<StoredTour>(keyOf(id));
}

/** The tour in the address and the current stop. */
export function useFollowed(): { readonly id: string | null; readonly step: number } {
  const id = useQueryParameter("tour");
  return { id, step: stepNumber(useQueryParameter("step")) };
}

function stepNumber(text: string | null): number {
  const number = Number(text ?? 0);
  return Number.isInteger(number) && number >= 0 ? number : 0;
}

/** The slide a waypoint lies in; null: the one that is open. */
export function slideOf(tour: StoredTour, waypoint: Waypoint | undefined): string | null {
  return waypoint?.slide ?? tour.slideId;
}

/** Goes to a stop of a tour, on another slide if needed. */
export function goToStep({ id }: { readonly id: string }, step: number, manifest: Manifest): void {
  const tour = cachedTour(id);
  if (!tour) return;
  const slide = slideOf(tour, tour.tour.waypoints[step]) ?? manifest.id;
  navigate(slidePath(slide), { ...caseQuery(), tour: tour.id, step: String(step) }, { replace: slide === manifest.id });
}

/** Ends following: the picture stays where it is. */
export function leaveTour(manifest: Manifest): void {
  navigate(slidePath(manifest.id), caseQuery(), { replace: true });
}

/** The stop `by` steps away in the open tour, null if there is none. */
export function stepAway(by: number): { readonly tour: StoredTour; readonly step: number } | null {
  const search = new URLSearchParams(location.search);
  const tour = cachedTour(search.get("tour") ?? "");
  const step = stepNumber(search.get("step")) + by;
  return tour && tour.tour.waypoints[step] ? { tour, step } : null;
}
