/** What all people saw who share it without their names (CV13): for those who own the slide. */
import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { allows } from "@wavescope/core/wire/slides/manifest";
import { type PeopleMap, readPeopleMap } from "@wavescope/core/wire/accounts/coverageClient";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { TissueMask } from "@wavescope/viewer/navigation/tissue";
import { hasAccount } from "./accountCoverage";
import type { Covered } from "./covered";

/** Whether the overview shows what all saw instead of what the user saw. */
export const peopleShown = createStore<{ readonly shown: boolean }>(() => ({ shown: false }));

export function maySeePeople(microscope: Microscope): boolean {
  return hasAccount(microscope) && allows(microscope.manifest, "view shared coverage");
}

export function usePeopleShown(microscope: Microscope): boolean {
  return useStore(peopleShown, ({ shown }) => shown) && maySeePeople(microscope);
}

/** At the objective of the present view, or at any where that is a weaker one than all. */
export function usePeopleMap(microscope: Microscope, covered: Covered | null) {
  const enabled = usePeopleShown(microscope) && covered !== null;
  const scale = covered?.scales[covered.objective] ?? 0;
  const { id } = microscope.manifest;
  return useQuery({
    queryKey: ["peopleMap", id, scale],
    queryFn: ({ signal }) => readPeopleMap(id, scale, signal),
    enabled,
    staleTime: 10_000,
    placeholderData: (before) => before,
  });
}

/** For each cell of the tissue how many people saw it: the map's own cells are larger. */
export function peopleOfCells(mask: TissueMask, map: PeopleMap): Uint16Array {
  const people = new Uint16Array(mask.columns * mask.rows);
  if (!map.counts) return people;
  for (let row = 0; row < mask.rows; row++)
    for (let column = 0; column < mask.columns; column++) {
      const x = Math.floor(((column + 0.5) * map.columns) / mask.columns);
      const y = Math.floor(((row + 0.5) * map.rows) / mask.rows);
      people[row * mask.columns + column] = map.counts[y * map.columns + x] ?? 0;
    }
  return people;
}

/** The parts of the tissue, 0 to 1, that nobody saw, and that half of the people saw or more. */
export function partsOfPeople(mask: TissueMask, map: PeopleMap): { readonly nobody: number; readonly half: number } {
  const people = peopleOfCells(mask, map);
  const tissue = [...people].filter((_, i) => mask.cells[i] === 1);
  const part = (of: (count: number) => boolean): number =>
    mask.count === 0 ? 0 : tissue.filter(of).length / mask.count;
  return { nobody: part((count) => count === 0), half: part((count) => count > 0 && 2 * count >= map.people) };
}
