import { useStore } from "zustand";
import { foundIn } from "@wavescope/viewer/compare/alignment";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./alignment.module.css";
import { clipOf } from "./Pins";

/** Of a cell: what is left counts as little, and as much. */
export const LOW = 0.025;
export const HIGH = 0.1;
const ENLARGED = 10;

/** What an automatic alignment leaves of one pane, on the first slide: a circle for each cell, with the direction. The panel has it in words. */
export function Residuals({ comparison }: { readonly comparison: Comparison }) {
  const alignment = useStore(comparison.alignment.state);
  const state = useStore(comparison.state);
  const microscope = comparison.microscopes[0]!;
  useDrawn(microscope);
  const pane = alignment.residuals ?? 0;
  const found = foundIn(alignment, pane);
  if (!found) return null;
  const back = state.links?.[pane]?.places?.reversed();
  return (
    <svg className={styles.over} style={{ clipPath: clipOf(0, state) }} data-testid="residuals" aria-hidden="true">
      {found.residuals.map(([l0_x, l0_y, dx, dy], i) => {
        const from = onScreen(microscope, l0_x, l0_y);
        const { scale = 1, rotation = 0, mirrored = false } = back?.at({ l0_x, l0_y }) ?? {};
        const [x, y] = turned(mirrored ? -dx : dx, dy, rotation);
        const to = onScreen(microscope, l0_x + ENLARGED * scale * x, l0_y + ENLARGED * scale * y);
        const length = Math.hypot(dx, dy) / found.cell;
        const kind = length < LOW ? "low" : length < HIGH ? "middle" : "high";
        return (
          <g key={i} data-kind={kind}>
            <circle cx={from.css_x} cy={from.css_y} r={4} />
            <line x1={from.css_x} y1={from.css_y} x2={to.css_x} y2={to.css_y} />
          </g>
        );
      })}
    </svg>
  );
}

function turned(x: number, y: number, degrees: number): [number, number] {
  const radians = (degrees * Math.PI) / 180;
  return [x * Math.cos(radians) - y * Math.sin(radians), x * Math.sin(radians) + y * Math.cos(radians)];
}
