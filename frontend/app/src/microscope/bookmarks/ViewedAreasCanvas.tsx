import { useEffect, useRef } from "react";
import { type VisitedField, strength } from "@wavescope/viewer/navigation/viewedAreas";
import styles from "../controls.module.css";

interface Props {
  readonly fields: readonly VisitedField[];
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly css_per_l0: number;
}

/** Outlines of fields that fade with age. */
export function ViewedAreasCanvas({ fields, width, height, css_per_l0 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => draw(canvas.current!, fields, css_per_l0), [fields, width, height, css_per_l0]);
  return (
    <canvas
      ref={canvas}
      className={styles.viewedAreas}
      width={width * devicePixelRatio}
      height={height * devicePixelRatio}
      data-testid="viewed-areas"
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
