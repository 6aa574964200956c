import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { type Links, onPane } from "@wavescope/viewer/compare/links";
import type { Point } from "@wavescope/viewer/compare/registration";
import { onScreen, underScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./alignment.module.css";

interface Props {
  readonly pane: number;
  readonly comparison: Comparison;
}

/** Where the pointer over another slide lies on this one, while the slides are linked side by side. */
export function MappedPointers({ pane, comparison }: Props) {
  const { links, mode } = useStore(comparison.state);
  if (!links || mode !== "side") return null;
  return comparison.microscopes.map((_, from) =>
    from === pane ? null : <MappedPointer key={from} from={from} pane={pane} comparison={comparison} links={links} />,
  );
}

function MappedPointer({ from, pane, comparison, links }: Props & { readonly from: number; readonly links: Links }) {
  const [at, setAt] = useState<Point | null>(null);
  const microscope = comparison.microscopes[pane]!;
  const other = comparison.microscopes[from]!;
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
  if (!at) return null;
  const { l0_x, l0_y } = onPane(links, from, pane, at);
  const { css_x, css_y } = onScreen(microscope, l0_x, l0_y);
  return (
    <div className={styles.clip} aria-hidden="true">
      <div className={styles.pointer} style={{ left: css_x, top: css_y }} data-testid={`pointer-${paneName(pane)}`} />
    </div>
  );
}
