/** The view as a picture of its own: what the screen shows with its overlays and annotations, and a scale bar, the magnification and the slide's name under it. */
import { openAnnotations } from "../annotate/annotations";
import { isExtended } from "../light/extended";
import { shownCanvas } from "../light/light";
import type { Microscope } from "../core/microscope";
import { scaleBar, shownLabel } from "../navigation/scale";
import { drawnOverlays } from "../overlays/shown";
import { PICTURE_PARTS, type PictureFormat, type PicturePart } from "./pictureParts";
import { t } from "@wavescope/core/i18n/i18n";

const STRIP = 44;
const MARGIN = 14;
const MAX_BAR_WIDTH = 220;
const UM_PER_CM = 10_000;

const OF_STRIP: readonly PicturePart[] = ["scale_bar", "name", "magnification"];

/** The view at the screen's resolution, with these parts. The view should be at rest. */
export function viewCanvas(microscope: Microscope, parts: readonly PicturePart[] = PICTURE_PARTS): HTMLCanvasElement {
  const ratio = devicePixelRatio;
  const { width, height } = microscope.canvas;
  const strip = OF_STRIP.some((part) => parts.includes(part)) || isExtended(microscope);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height + (strip ? Math.round(STRIP * ratio) : 0);
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(shownCanvas(microscope), 0, 0, width, height);
  if (parts.includes("annotations")) {
    drawnOverlays(microscope)?.copyTo(pen);
    openAnnotations(microscope)?.layer.paint(pen);
  }
  if (strip) {
    pen.setTransform(ratio, 0, 0, ratio, 0, height);
    drawStrip(pen, microscope, width / ratio, parts);
  }
  return canvas;
}

/** The same as a file. A TIFF has its resolution in pixels per cm of the slide, where the size of a pixel is known. */
export async function viewPicture(
  microscope: Microscope,
  parts: readonly PicturePart[] = PICTURE_PARTS,
  format: PictureFormat = "png",
): Promise<Blob> {
  const canvas = viewCanvas(microscope, parts);
  if (format === "png") return canvasBlob(canvas, "image/png");
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
  const { mpp } = microscope.manifest;
  const { scale } = microscope.reading();
  const { tiffOf } = await import("./tiff");
  return tiffOf(data, width, height, mpp && { x: (UM_PER_CM * scale) / mpp.x, y: (UM_PER_CM * scale) / mpp.y });
}

export function canvasBlob(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot make this picture"))),
      type,
      quality,
    );
  });
}

/** A name for the picture's file: slide, centre and magnification. */
export function pictureName(microscope: Microscope, format: PictureFormat = "png"): string {
  const { region, scale } = microscope.reading();
  const at = `x${Math.round(region.l0_x + region.l0_width / 2)}-y${Math.round(region.l0_y + region.l0_height / 2)}`;
  return `${microscope.manifest.id}-${at}-${shownLabel(scale, microscope.manifest)
    .replace("×", "x")
    .replace(/[^\w.,%]/g, "")}.${format}`;
}

/** `H&E 12 · 20× · Plane 2 of 5`: slide's name and magnification, as wanted; what is computed is always named (ZS3). */
export function viewCaption(microscope: Microscope, parts: readonly PicturePart[] = PICTURE_PARTS): string {
  const { scale } = microscope.reading();
  const { title, planes } = microscope.manifest;
  const texts = parts.includes("name") ? [title] : [];
  if (parts.includes("magnification")) {
    texts.push(shownLabel(scale, microscope.manifest));
    if (planes > 1 && !isExtended(microscope)) texts.push(t("viewer.plane", { plane: microscope.plane + 1, planes }));
    if (scale > 1.001) texts.push(t("microscope.digitalZoom"));
  }
  if (isExtended(microscope)) texts.push(t("focus.extendedComputed"));
  return texts.join("  ·  ");
}

/** Slide's name and magnification at the left, scale bar at the right, in CSS pixels. */
function drawStrip(
  pen: CanvasRenderingContext2D,
  microscope: Microscope,
  width: number,
  parts: readonly PicturePart[],
): void {
  const { scale } = microscope.reading();
  const bar = scaleBar(
    scale / devicePixelRatio,
    microscope.manifest.mpp?.x ?? null,
    Math.min(MAX_BAR_WIDTH, width / 3),
  );
  const middle = STRIP / 2;
  const right = width - MARGIN;
  pen.fillStyle = pen.strokeStyle = "#1b1c20";
  pen.font = "13px sans-serif";
  pen.textBaseline = "middle";
  pen.fillText(viewCaption(microscope, parts), MARGIN, middle, Math.max(40, right - bar.width - 3 * MARGIN));
  if (!parts.includes("scale_bar")) return;
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
