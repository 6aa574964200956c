import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { onOther } from "@wavescope/viewer/compare/alignment";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { type Side, otherSide } from "@wavescope/viewer/compare/comparisonState";
import type { Point } from "@wavescope/viewer/compare/registration";
import { onScreen, underScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./alignment.module.css";

/** Where the pointer over the other slide lies on this one, while both are linked side by side. */
export function OtherPointer({ side, comparison }: { readonly side: Side; readonly comparison: Comparison }) {
  const { link, mode } = useStore(comparison.state);
  const [at, setAt] = useState<Point | null>(null);
  const microscope = comparison.microscopes[side];
  const other = comparison.microscopes[otherSide(side)];
  useDrawn(microscope);
  useEffect(() => {
    const { element } = other.viewer;
    const move = (event: PointerEvent): void => {
      if (event.pointerType === "touch") return;
      const field = element.getBoundingClientRect();
      setAt(underScreen(other, { css_x: event.clientX - field.left, css_y: event.clientY - field.top }));
    };
    const leave = (): void => setAt(null);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerleave", leave);
    return () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerleave", leave);
    };
  }, [other]);
  if (!at || !link || mode !== "side") return null;
  const { l0_x, l0_y } = onOther(link, otherSide(side), at);
  const { css_x, css_y } = onScreen(microscope, l0_x, l0_y);
  return (
    <div className={styles.clip} aria-hidden="true">
      <div className={styles.pointer} style={{ left: css_x, top: css_y }} data-testid={`pointer-${side}`} />
    </div>
  );
}
