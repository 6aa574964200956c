import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/core/microscope";
import { type VisitedField, trackViewedAreas, strength, viewedAreasOf } from "../../../viewer/navigation/viewedAreas";
import styles from "../controls.module.css";

interface Props {
  readonly scope: Microscope;
  readonly width: number;
  readonly height: number;
}

/** The visited fields over the overview: outlines that fade with age. */
export function ViewedAreasDrawing({ scope, width, height }: Props) {
  const { shown, fields } = useStore(viewedAreasOf(scope));
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => trackViewedAreas(scope), [scope]);
  useEffect(() => {
    if (shown) draw(canvas.current!, fields, width / scope.pyramid.width);
  }, [scope, shown, fields, width, height]);
  if (!shown) return null;
  return (
    <canvas
      ref={canvas}
      className={styles.trail}
      width={width * devicePixelRatio}
      height={height * devicePixelRatio}
      data-testid="trail"
      data-fields={fields.length}
    />
  );
}

function draw(canvas: HTMLCanvasElement, fields: readonly VisitedField[], css_per_l0: number): void {
  const pen = canvas.getContext("2d")!;
  const scale = css_per_l0 * devicePixelRatio;
  pen.resetTransform();
  pen.clearRect(0, 0, canvas.width, canvas.height);
  fields.forEach(({ l0_x, l0_y, l0_width, l0_height, rotation }, i) => {
    pen.resetTransform();
    pen.translate((l0_x + l0_width / 2) * scale, (l0_y + l0_height / 2) * scale);
    pen.rotate((-rotation * Math.PI) / 180);
    pen.globalAlpha = strength(i, fields.length);
    const [width, height] = [Math.max(3, l0_width * scale), Math.max(3, l0_height * scale)];
    pen.fillStyle = "rgb(196 84 0 / 14%)";
    pen.fillRect(-width / 2, -height / 2, width, height);
    pen.strokeStyle = "#c45400";
    pen.lineWidth = devicePixelRatio;
    pen.strokeRect(-width / 2, -height / 2, width, height);
  });
}
