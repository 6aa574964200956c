/** The view as a picture of its own: what the screen shows with its overlays and annotations, and a scale bar, the magnification and the slide's name under it. */
import { openAnnotations } from "../annotate/annotations";
import { shownCanvas } from "../light/light";
import type { Microscope } from "../core/microscope";
import { magnificationLabel } from "../navigation/objectives";
import { scaleBar, shownMagnification } from "../navigation/scale";
import { drawnOverlays } from "../overlays/shown";
import { t } from "@wavescope/core/i18n/i18n";

const STRIP = 44;
const MARGIN = 14;
const MAX_BAR_WIDTH = 220;

/** A PNG at the screen's resolution. The view should be at rest. */
export function viewPicture(microscope: Microscope): Promise<Blob> {
  const ratio = devicePixelRatio;
  const { width, height } = microscope.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height + Math.round(STRIP * ratio);
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(shownCanvas(microscope), 0, 0, width, height);
  drawnOverlays(microscope)?.copyTo(pen);
  openAnnotations(microscope)?.layer.paint(pen);
  pen.setTransform(ratio, 0, 0, ratio, 0, height);
  drawStrip(pen, microscope, width / ratio);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot make this picture"))),
      "image/png",
    );
  });
}

/** A name for the picture's file: slide, centre and magnification. */
export function pictureName(microscope: Microscope): string {
  const { region, scale } = microscope.reading();
  const at = `x${Math.round(region.l0_x + region.l0_width / 2)}-y${Math.round(region.l0_y + region.l0_height / 2)}`;
  return `${microscope.manifest.id}-${at}-${magnificationText(microscope, scale).replace("×", "x").replace(/\s/g, "")}.png`;
}

/** Slide's name and magnification at the left, scale bar at the right, in CSS pixels. */
function drawStrip(pen: CanvasRenderingContext2D, microscope: Microscope, width: number): void {
  const { scale } = microscope.reading();
  const { mpp, title, planes } = microscope.manifest;
  const bar = scaleBar(scale / devicePixelRatio, mpp?.x ?? null, Math.min(MAX_BAR_WIDTH, width / 3));
  const middle = STRIP / 2;
  const right = width - MARGIN;
  pen.fillStyle = pen.strokeStyle = "#1b1c20";
  pen.font = "13px sans-serif";
  pen.textBaseline = "middle";
  const parts = [title, magnificationText(microscope, scale)];
  if (planes > 1) parts.push(t("viewer.plane", { plane: microscope.plane + 1, planes }));
  if (scale > 1.001) parts.push(t("microscope.digitalZoom"));
  pen.fillText(parts.join("  ·  "), MARGIN, middle, Math.max(40, right - bar.width - 3 * MARGIN));
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(right - bar.width, middle + 4);
  pen.lineTo(right - bar.width, middle + 12);
  pen.lineTo(right, middle + 12);
  pen.lineTo(right, middle + 4);
  pen.stroke();
  pen.textAlign = "center";
  pen.fillText(bar.label, right - bar.width / 2, middle - 4);
}

function magnificationText(microscope: Microscope, scale: number): string {
  const { mpp, objectivePower } = microscope.manifest;
  const magnification = shownMagnification(scale, mpp?.x ?? null, objectivePower);
  return magnification === null ? `${Number((100 * scale).toPrecision(3))} %` : magnificationLabel(magnification);
}
