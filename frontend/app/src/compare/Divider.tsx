import { IconGripVertical } from "@tabler/icons-react";
import { useStore } from "zustand";
import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import styles from "./compare.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const STEP = 0.01;
const LARGE_STEP = 0.1;

/** Where one slide ends and the other begins while swiping: dragged, or moved by keys. */
export function Divider({ comparison }: { readonly comparison: Comparison }) {
  const { mode, swiped, divider, swapped } = useStore(comparison.state);
  if (mode !== "swipe") return null;
  const [left, right] = swapped ? ([swiped[1], swiped[0]] as const) : swiped;
  const titleOf = (pane: number): string => comparison.microscopes[pane]!.manifest.title;
  const drag = (event: React.PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const field = event.currentTarget.parentElement!.getBoundingClientRect();
    comparison.setDivider((event.clientX - field.left) / field.width);
  };
  const press = (event: React.KeyboardEvent): void => {
    const position = positionAfter(event.key, event.shiftKey, divider);
    if (position === null) return;
    event.preventDefault();
    comparison.setDivider(position);
  };
  return (
    <div
      className={styles.divider}
      style={{ left: `${100 * divider}%` }}
      role="slider"
      tabIndex={0}
      aria-label={t("compare.divider")}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * divider)}
      aria-valuetext={t("compare.dividerAt", {
        percent: Math.round(100 * divider),
        left: titleOf(left),
        right: titleOf(right),
      })}
      data-testid="divider"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    >
      <span className={styles.grip} aria-hidden="true">
        {paneName(left)}
        <IconGripVertical size={16} />
        {paneName(right)}
      </span>
    </div>
  );
}

/** Where a key takes the divider; null where it is none of its keys. */
function positionAfter(key: string, shift: boolean, divider: number): number | null {
  const step = shift ? LARGE_STEP : STEP;
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return divider - step;
    case "ArrowRight":
    case "ArrowUp":
      return divider + step;
    case "PageDown":
      return divider - LARGE_STEP;
    case "PageUp":
      return divider + LARGE_STEP;
    case "Home":
      return 0;
    case "End":
      return 1;
    default:
      return null;
  }
}
