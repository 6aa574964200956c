import { useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import type { ComparisonState } from "@wavescope/viewer/compare/comparisonState";
import { isSingle } from "@wavescope/viewer/compare/marking";
import type { Point } from "@wavescope/viewer/compare/registration";
import { onScreen, underScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./landmarks.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The landmarks of one slide over its picture: dragged, or moved by the arrow keys, to where they belong. */
export function Pins({ pane, comparison }: { readonly pane: number; readonly comparison: Comparison }) {
  const { on, landmarks } = useStore(comparison.marking.state);
  const state = useStore(comparison.state);
  const microscope = comparison.microscopes[pane]!;
  if (!on) return null;
  return (
    <div className={styles.pins} style={{ clipPath: clipOf(pane, state) }} data-testid={`pins-${paneName(pane)}`}>
      {landmarks.map((landmark, i) => {
        const at = landmark[pane];
        return (
          at && (
            <Pin
              key={i}
              microscope={microscope}
              at={at}
              name={String(i + 1)}
              open={isSingle(landmark)}
              onMove={(to) => comparison.marking.move(i, pane, to)}
              onRemove={() => comparison.marking.remove(i)}
            />
          )
        );
      })}
    </div>
  );
}

interface PinProps {
  readonly microscope: Microscope;
  readonly at: Point;
  readonly name: string;
  /** Not marked on another slide yet. */
  readonly open: boolean;
  readonly onMove: (at: Point) => void;
  readonly onRemove: () => void;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Pin({ microscope, at, name, open, onMove, onRemove }: PinProps) {
  const [dragged, setDragged] = useState<Point | null>(null);
  useDrawn(microscope);
  const { css_x, css_y } = onScreen(microscope, (dragged ?? at).l0_x, (dragged ?? at).l0_y);
  const under = (event: React.PointerEvent<HTMLElement>): Point => {
    const field = event.currentTarget.parentElement!.getBoundingClientRect();
    return underScreen(microscope, { css_x: event.clientX - field.left, css_y: event.clientY - field.top });
  };
  const drag = (event: React.PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) setDragged(under(event));
  };
  const drop = (): void => {
    if (dragged) onMove(dragged);
    setDragged(null);
  };
  const press = (event: React.KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (!arrow && event.key !== "Delete") return;
    event.preventDefault();
    if (!arrow) return onRemove();
    const step = event.shiftKey ? 10 : 1;
    onMove(underScreen(microscope, { css_x: css_x + step * arrow[0], css_y: css_y + step * arrow[1] }));
  };
  return (
    <button
      type="button"
      className={styles.pin}
      style={{ left: css_x, top: css_y }}
      data-open={open}
      aria-label={t(open ? "compare.openLandmark" : "compare.landmark", { name })}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={() => setDragged(null)}
      onKeyDown={press}
    >
      <span className={styles.number}>{name}</span>
    </button>
  );
}

/** While swiping, what belongs to each slide is seen in its own part. */
export function clipOf(pane: number, { mode, swiped, divider, swapped }: ComparisonState): string | undefined {
  if (mode === "side") return undefined;
  const here = (pane === swiped[0]) !== swapped; // to the left of the divider
  return here ? `inset(0 ${100 * (1 - divider)}% 0 0)` : `inset(0 0 0 ${100 * divider}%)`;
}
