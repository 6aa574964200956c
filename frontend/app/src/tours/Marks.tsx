import type { Microscope } from "@wavescope/viewer/core/microscope";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import type { Mark } from "@wavescope/core/wire/catalog/toursClient";
import { useDrawn } from "../microscope/useDrawn";
import { MARK_NAMES } from "./markNames";
import styles from "./tours.module.css";

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
const ROUND = Array.from(
  { length: 48 },
  (_, i) => [0.5 + Math.cos((i * Math.PI) / 24) / 2, 0.5 + Math.sin((i * Math.PI) / 24) / 2] as const,
);

/** The marks of a stop over the picture; they move, turn and grow with it. */
export function Marks({ microscope, marks }: { readonly microscope: Microscope; readonly marks: readonly Mark[] }) {
  useDrawn(microscope);
  if (marks.length === 0) return null;
  return (
    <svg
      className={styles.marks}
      role="img"
      aria-label={marks.map(({ text, kind }) => text || MARK_NAMES[kind]).join(", ")}
      data-testid="tour-marks"
    >
      {marks.map((mark, i) => (
        <g key={i} className={styles.mark} data-kind={mark.kind}>
          <Shape microscope={microscope} mark={mark} />
        </g>
      ))}
    </svg>
  );
}

/** A point of a mark on the screen, by its part of the extent. */
function spotOf(microscope: Microscope, mark: Mark, [across, down]: readonly [number, number]): Spot {
  return onScreen(microscope, mark.l0_x + across * mark.l0_width, mark.l0_y + down * mark.l0_height);
}

/** The outline of a mark on the screen, closed where the mark is. */
export function outline(microscope: Microscope, mark: Mark): string {
  const round = mark.kind === "ellipse" ? ROUND : CORNERS;
  const parts = { point: [CORNERS[0], CORNERS[0]], arrow: [CORNERS[0], CORNERS[2]] }[mark.kind as string];
  return (parts ?? [...round, round[0]])
    .map((part) => spotOf(microscope, mark, part))
    .map(({ css_x, css_y }) => `${css_x},${css_y}`)
    .join(" ");
}

function Shape({ microscope, mark }: { readonly microscope: Microscope; readonly mark: Mark }) {
  const here = spotOf(microscope, mark, [0, 0]);
  const tail = spotOf(microscope, mark, [1, 1]);
  const label = mark.kind === "arrow" ? tail : here;
  return (
    <>
      {mark.kind === "point" && <circle cx={here.css_x} cy={here.css_y} r={6} />}
      {(mark.kind === "rectangle" || mark.kind === "ellipse") && <polygon points={outline(microscope, mark)} />}
      {mark.kind === "arrow" && <polyline points={arrow(tail, here)} />}
      {mark.text && (
        <text x={label.css_x} y={label.css_y - 10}>
          {mark.text}
        </text>
      )}
    </>
  );
}

interface Spot {
  readonly css_x: number;
  readonly css_y: number;
}

/** From the tail to the tip, and the two barbs. */
function arrow(tail: Spot, tip: Spot): string {
  const angle = Math.atan2(tip.css_y - tail.css_y, tip.css_x - tail.css_x);
  const barb = (turn: number): string =>
    `${tip.css_x - 16 * Math.cos(angle + turn)},${tip.css_y - 16 * Math.sin(angle + turn)}`;
  const end = `${tip.css_x},${tip.css_y}`;
  return `${tail.css_x},${tail.css_y} ${end} ${barb(0.45)} ${end} ${barb(-0.45)}`;
}
