import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf } from "@wavescope/viewer/navigation/coverage";
import type { TissueMask } from "@wavescope/viewer/navigation/tissue";
import type { PeopleMap } from "@wavescope/core/wire/accounts/coverageClient";
import { type Covered, useCovered } from "./covered";
import { peopleOfCells, usePeopleMap, usePeopleShown } from "./people";
import styles from "../controls.module.css";

/** Red, green, blue, alpha: tissue seen at this magnification or a higher one, seen at a lower one, not seen. */
const HERE = [0, 106, 122, 150];
const COARSER = [0, 106, 122, 60];
const UNSEEN = [214, 104, 0, 40];

/** The most that a cell which all people saw hides of the overview. */
const ALL = 200;

/** The tissue over the overview, by what the user saw of it, or by how many people did. */
export function CoverageCanvas({ microscope }: { readonly microscope: Microscope }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const fields = useStore(coverageOf(microscope), ({ views }) => views.filter(({ sharp }) => sharp).length);
  const covered = useCovered(microscope);
  const together = usePeopleShown(microscope);
  const { data: people } = usePeopleMap(microscope, covered);
  useEffect(() => {
    if (!covered) return;
    if (!together) draw(canvas.current!, covered.mask, ownColors(covered));
    else if (people?.counts) draw(canvas.current!, covered.mask, colorsOfPeople(covered.mask, people));
    else draw(canvas.current!, covered.mask, () => null);
  }, [covered, together, people]);
  return (
    <canvas
      ref={canvas}
      className={styles.coverage}
      width={covered?.mask.columns ?? 1}
      height={covered?.mask.rows ?? 1}
      data-testid="coverage"
      data-fields={fields}
    />
  );
}

type Color = readonly number[];

function ownColors({ seen, objective }: Covered): (cell: number) => Color {
  return (cell) => {
    const strength = seen[cell]!;
    if (strength === 0) return UNSEEN;
    return strength > objective ? HERE : COARSER;
  };
}

function colorsOfPeople(mask: TissueMask, map: PeopleMap): (cell: number) => Color {
  const people = peopleOfCells(mask, map);
  return (cell) => {
    const count = people[cell]!;
    return count === 0 ? UNSEEN : [HERE[0]!, HERE[1]!, HERE[2]!, 40 + ((ALL - 40) * count) / map.people];
  };
}

function draw(canvas: HTMLCanvasElement, mask: TissueMask, colorOf: (cell: number) => Color | null): void {
  const picture = new ImageData(mask.columns, mask.rows);
  mask.cells.forEach((tissue, i) => {
    const color = tissue ? colorOf(i) : null;
    if (color) picture.data.set(color, 4 * i);
  });
  canvas.getContext("2d")!.putImageData(picture, 0, 0);
}
