import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Part } from "@wavescope/core/geometry/shape";
import { type Stored, annotationClient } from "@wavescope/core/wire/annotations/annotations";
import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { type Links, onPane } from "@wavescope/viewer/compare/links";
import type { Point } from "@wavescope/viewer/compare/registration";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../microscope/useDrawn";
import styles from "./alignment.module.css";
import { clipOf } from "./Pins";

/** CSS pixels. */
const POINT = 5;

interface Props {
  readonly pane: number;
  readonly comparison: Comparison;
}

/** The annotations of the other slides where they lie on this one; read only. */
export function MappedAnnotations({ pane, comparison }: Props) {
  const { annotations } = useStore(comparison.alignment.state);
  const state = useStore(comparison.state);
  const { links } = state;
  if (!annotations || !links) return null;
  return (
    <svg
      className={styles.over}
      style={{ clipPath: clipOf(pane, state) }}
      data-testid={`mapped-${paneName(pane)}`}
      aria-hidden="true"
    >
      {comparison.microscopes.map((_, from) =>
        from === pane ? null : <Mapped key={from} from={from} pane={pane} comparison={comparison} links={links} />,
      )}
    </svg>
  );
}

function Mapped({ from, pane, comparison, links }: Props & { readonly from: number; readonly links: Links }) {
  const microscope = comparison.microscopes[pane]!;
  const stored = useAnnotations(comparison.microscopes[from]!.manifest.id);
  const mapped = useMemo(
    () =>
      stored.map(({ id, content }) => ({
        id,
        parts: (content?.shape.parts ?? []).map((part) => laid(part, (at) => onPane(links, from, pane, at))),
      })),
    [stored, links, from, pane],
  );
  useDrawn(microscope);
  return mapped.map(({ id, parts }) => (
    <path key={id} d={parts.map((part) => pathOf(part.map((at) => onScreen(microscope, at.l0_x, at.l0_y)))).join("")} />
  ));
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

function laid(part: Part, map: (at: Point) => Point): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < part.length; i += 2) points.push(map({ l0_x: part[i]!, l0_y: part[i + 1]! }));
  return points;
}

function pathOf(points: readonly { readonly css_x: number; readonly css_y: number }[]): string {
  const [first] = points;
  if (points.length === 1 && first)
    return `M${first.css_x - POINT} ${first.css_y}h${2 * POINT}m${-POINT} ${-POINT}v${2 * POINT}`;
  return points.map(({ css_x, css_y }, i) => `${i ? "L" : "M"}${css_x.toFixed(1)} ${css_y.toFixed(1)}`).join("");
}
