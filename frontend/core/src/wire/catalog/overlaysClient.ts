/** The overlays of a slide (overlays.md, OV28 to OV31). */
import type * as Wire from "../generated/types";
import { ownName } from "../../i18n/names";
import { API, call, part } from "../http/api";
import { type Fetch, bytesOf, request } from "../http/http";
import type { Fixed } from "../http/json";

type Body = Fixed<Wire.OverlayBody>;
export interface OverlayInfo extends Omit<Body, "raster"> {
  /** Null: it has shapes. Overlays of older exports do not say it. */
  readonly raster: NonNullable<Body["raster"]> | null;
}

export async function readOverlays(
  slide: string,
  signal?: AbortSignal,
  fetcher?: Fetch,
): Promise<readonly OverlayInfo[]> {
  const { overlays } = await call("GET /slides/{slide_id}/overlays", { path: { slide_id: slide }, signal, fetcher });
  return overlays.map((overlay) => ({ ...named(overlay), raster: overlay.raster ?? null }));
}

/** The overlay that the service itself makes (QM11) is named in the language of the page. */
function named(overlay: Body): Body {
  if (overlay.name !== "Scan quality" || overlay.author) return overlay;
  const classes = overlay.classes.map((one) => ({ ...one, name: ownName(one.name) }));
  return { ...overlay, name: ownName(overlay.name), classes };
}

/** Where all shapes of an overlay are as a file (OV33). */
export const shapesUrl = (slide: string, overlay: string, format: string): string =>
  `${API}/slides/${part(slide)}/overlays/${part(overlay)}/shapes?format=${format}`;

interface Place {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** Where a tile is. */
export const overlayTileUrl = (
  slide: string,
  { id, digest }: Pick<OverlayInfo, "id" | "digest">,
  { level, x, y }: Place,
): string => `${API}/slides/${part(slide)}/overlays/${part(id)}/tiles/${level}/${x}/${y}?v=${digest}`;

/** The gzip member of a tile; null: nothing is there. Throws what `request` throws. */
export async function overlayTile(
  slide: string,
  info: Pick<OverlayInfo, "id" | "digest">,
  place: Place,
  signal: AbortSignal,
  fetcher: Fetch = (input, init) => fetch(input, init),
): Promise<Uint8Array<ArrayBuffer> | null> {
  const response = await request(fetcher, overlayTileUrl(slide, info, place), { signal });
  const member = await bytesOf(response);
  return member.length === 0 ? null : (member as Uint8Array<ArrayBuffer>);
}

/** It can be restored. */
export async function deleteOverlay(slide: string, overlay: string): Promise<void> {
  await call("DELETE /slides/{slide_id}/overlays/{overlay_id}", { path: { slide_id: slide, overlay_id: overlay } });
}

export async function restoreOverlay(slide: string, overlay: string): Promise<void> {
  await call("POST /slides/{slide_id}/overlays/{overlay_id}/restore", {
    path: { slide_id: slide, overlay_id: overlay },
  });
}
