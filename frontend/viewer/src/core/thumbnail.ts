/** The slide's thumbnail: the overview's picture, and the first thing to be seen of a slide that is being opened. */
import type { Pyramid, Size } from "@wavescope/core/geometry/pyramid";
import { type Manifest, thumbnailPath } from "@wavescope/core/wire/slides/manifest";

/**
 * Longest side in pixels. A whole slide on a screen of 1920 x 1080 is 26 dB like its final picture with it: tissue is recognised, single
 * nuclei are not. That of Minerva is 44 kB.
 */
const SIDE = 576;

/** The level whose whole picture the thumbnail is: the coarsest that is not smaller, or level 0 (wire/blocks.md, WI11). */
export function thumbnailLevel(pyramid: Pyramid): number {
  let level = pyramid.top;
  while (level > 0 && isSmaller(pyramid.levelSize(level))) level -= 1;
  return level;
}

const isSmaller = ({ width, height }: Size): boolean => Math.max(width, height) < SIDE;

let early: { readonly id: string; readonly image: HTMLImageElement } | null = null;

/** Asks for the thumbnail of a slide whose manifest is only just being asked for. */
export function beginThumbnail(id: string): void {
  if (early?.id !== id) early = { id, image: begin(`${thumbnailPath(id)}?max=${SIDE}`) };
}

/** The thumbnail, on its way: the one begun for this slide, else this version's. */
export function thumbnailOf({ id, url, preview }: Manifest): HTMLImageElement {
  const started = early?.id === id && !preview ? early.image : null;
  early = null;
  const own = `${url}/thumbnail?max=${SIDE}`;
  if (!started || (started.complete && started.naturalWidth === 0)) return begin(own);
  started.addEventListener("error", () => (started.src = own), { once: true });
  return started;
}

function begin(address: string): HTMLImageElement {
  const image = new Image();
  image.fetchPriority = "high";
  image.src = address;
  return image;
}
