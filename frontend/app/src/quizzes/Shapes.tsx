import { useEffect, useEffectEvent } from "react";
import { createPortal } from "react-dom";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { pickPositions } from "@wavescope/viewer/navigation/clicks";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { t } from "@wavescope/core/i18n/i18n";
import { useDrawn } from "../microscope/useDrawn";
import { ClickDensity } from "./ClickDensity";
import type { Shape } from "./questions";
import styles from "./quizzes.module.css";

const NAMES: Readonly<Record<Shape["of"], string>> = {
  answer: t("quizzes.answer"),
  key: t("quizzes.key"),
  click: t("quizzes.clicks"),
};

interface Props {
  readonly microscope: Microscope;
  readonly shapes: readonly Shape[];
}

/** Answers and key over the picture; they move with it. The key is dashed, the clicks of all persons are dots on their density. */
export function Shapes({ microscope, shapes }: Props) {
  useDrawn(microscope);
  if (shapes.length === 0) return null;
  const names = [...new Set(shapes.map(({ of }) => NAMES[of]))];
  const clicks = shapes.filter(({ of }) => of === "click");
  return createPortal(
    <svg className={styles.shapes} role="img" aria-label={names.join(", ")} data-testid="quiz-shapes">
      {clicks.length > 0 && (
        <ClickDensity spots={clicks.map(({ corners }) => onScreen(microscope, corners[0]![0]!, corners[0]![1]!))} />
      )}
      {shapes.map((shape, i) => (
        <Drawn key={i} microscope={microscope} shape={shape} />
      ))}
    </svg>,
    microscope.viewer.element,
  );
}

function Drawn({ microscope, shape: { of, corners, l0_radius } }: { microscope: Microscope; shape: Shape }) {
  const spots = corners.map(([x, y]) => onScreen(microscope, x!, y!));
  const [first] = spots;
  if (!first) return null;
  const edge = onScreen(microscope, corners[0]![0]! + (l0_radius ?? 0), corners[0]![1]!);
  const radius = Math.max(6, Math.hypot(edge.css_x - first.css_x, edge.css_y - first.css_y));
  return (
    <g data-of={of}>
      {spots.length > 1 ? (
        <polygon points={spots.map(({ css_x, css_y }) => `${css_x},${css_y}`).join(" ")} />
      ) : (
        <circle cx={first.css_x} cy={first.css_y} r={radius} />
      )}
    </g>
  );
}

/** While it is active, a click on the slide passes on where. A drag moves the picture as ever. */
export function usePicking(
  microscope: Microscope,
  active: boolean,
  onPick: (l0_x: number, l0_y: number) => void,
): void {
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    if (!active) return;
    return pickPositions(microscope, ({ l0_x, l0_y }) => pick(l0_x, l0_y));
  }, [microscope, active]);
}
