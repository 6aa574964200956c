import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Part } from "@wavescope/core/geometry/shape";
import { type Stored, annotationClient } from "@wavescope/core/wire/annotations/annotations";
import { onOther } from "@wavescope/viewer/compare/alignment";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { type Side, otherSide } from "@wavescope/viewer/compare/comparisonState";
import type { Link, Point } from "@wavescope/viewer/compare/registration";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./alignment.module.css";
import { clipOf } from "./Pins";

/** CSS pixels. */
const POINT = 5;

/** The annotations of the other slide where they lie on this one; read only. */
export function MappedAnnotations({ side, comparison }: { readonly side: Side; readonly comparison: Comparison }) {
  const { annotations } = useStore(comparison.alignment.state);
  const { link } = useStore(comparison.state);
  return annotations && link ? <Mapped side={side} comparison={comparison} link={link} /> : null;
}

interface MappedProps {
  readonly side: Side;
  readonly comparison: Comparison;
  readonly link: Link;
}

function Mapped({ side, comparison, link }: MappedProps) {
  const state = useStore(comparison.state);
  const microscope = comparison.microscopes[side];
  const from = otherSide(side);
  const stored = useAnnotations(comparison.microscopes[from].manifest.id);
  const mapped = useMemo(
    () =>
      stored.map(({ id, content }) => ({
        id,
        parts: (content?.shape.parts ?? []).map((part) => laid(link, from, part)),
      })),
    [stored, link, from],
  );
  useDrawn(microscope);
  return (
    <svg
      className={styles.over}
      style={{ clipPath: clipOf(side, state) }}
      data-testid={`mapped-${side}`}
      aria-hidden="true"
    >
      {mapped.map(({ id, parts }) => (
        <path
          key={id}
          d={parts.map((part) => pathOf(part.map((at) => onScreen(microscope, at.l0_x, at.l0_y)))).join("")}
        />
      ))}
    </svg>
  );
}

/** The first 5000 of a slide. */
function useAnnotations(slide: string): readonly Stored[] {
  const [stored, setStored] = useState<readonly Stored[]>([]);
  useEffect(() => {
    const asked = new AbortController();
    annotationClient(slide)
      .page(null, asked.signal)
      .then(
        ({ annotations }) => setStored(annotations),
        () => undefined, // the slides are still compared
      );
    return () => asked.abort();
  }, [slide]);
  return stored;
}

function laid(link: Link, side: Side, part: Part): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < part.length; i += 2) points.push(onOther(link, side, { l0_x: part[i]!, l0_y: part[i + 1]! }));
  return points;
}

function pathOf(points: readonly { readonly css_x: number; readonly css_y: number }[]): string {
  const [first] = points;
  if (points.length === 1 && first)
    return `M${first.css_x - POINT} ${first.css_y}h${2 * POINT}m${-POINT} ${-POINT}v${2 * POINT}`;
  return points.map(({ css_x, css_y }, i) => `${i ? "L" : "M"}${css_x.toFixed(1)} ${css_y.toFixed(1)}`).join("");
}
