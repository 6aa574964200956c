import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf } from "@wavescope/viewer/navigation/coverage";
import { type Covered, useCovered } from "./covered";
import styles from "../controls.module.css";

/** Red, green, blue, alpha: tissue seen at this magnification or a higher one, seen at a lower one, not seen. */
const HERE = [0, 106, 122, 150];
const COARSER = [0, 106, 122, 60];
const UNSEEN = [214, 104, 0, 40];

/** The tissue over the overview, by what was seen of it. */
export function CoverageCanvas({ microscope }: { readonly microscope: Microscope }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const fields = useStore(coverageOf(microscope), ({ views }) => views.filter(({ sharp }) => sharp).length);
  const covered = useCovered(microscope);
  useEffect(() => {
    if (covered) draw(canvas.current!, covered);
  }, [covered]);
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

function draw(canvas: HTMLCanvasElement, { mask, seen, objective }: Covered): void {
  const picture = new ImageData(mask.columns, mask.rows);
  mask.cells.forEach((tissue, i) => {
    if (!tissue) return;
    const strength = seen[i]!;
    picture.data.set(strength === 0 ? UNSEEN : strength > objective ? HERE : COARSER, 4 * i);
  });
  canvas.getContext("2d")!.putImageData(picture, 0, 0);
}
