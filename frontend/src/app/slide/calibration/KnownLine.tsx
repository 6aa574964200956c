import type { Microscope } from "../../../viewer/core/microscope";
import { onScreen } from "../../../viewer/navigation/pointing";
import { useDrawn } from "../../microscope/useDrawn";
import styles from "./calibration.module.css";
import type { Spot } from "./length";

/** The line of known length, over the picture. */
export function KnownLine({ scope, spots }: { readonly scope: Microscope; readonly spots: readonly Spot[] }) {
  useDrawn(scope);
  const ends = spots.map(({ l0_x, l0_y }) => onScreen(scope, l0_x, l0_y));
  return (
    <svg className={styles.line} aria-hidden="true" data-testid="calibration-line">
      {ends.length === 2 && <line x1={ends[0].css_x} y1={ends[0].css_y} x2={ends[1].css_x} y2={ends[1].css_y} />}
      {ends.map(({ css_x, css_y }, i) => (
        <circle key={i} cx={css_x} cy={css_y} r={5} />
      ))}
    </svg>
  );
}
