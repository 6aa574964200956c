/** Where other software opens a slide or a case (iiif.md, deep-zoom.md, ome-zarr.md, dicomweb.md): addresses of the current version. */
import { t } from "@wavescope/core/i18n/i18n";

export interface OpenAddress {
  /** The protocol, and software that reads it. */
  readonly name: string;
  readonly address: string;
}

export function addressesOf(kind: "slide" | "case", id: string, origin: string): OpenAddress[] {
  const base = `${origin}/api/v1/${kind === "slide" ? "slides" : "cases"}/${encodeURIComponent(id)}`;
  const manifest = { name: t("sharing.iiifManifest"), address: `${base}/iiif/manifest` };
  if (kind === "case") return [manifest];
  return [
    manifest,
    { name: t("sharing.iiifImage"), address: `${base}/iiif/3/info.json` },
    { name: t("sharing.deepZoom"), address: `${base}/deepzoom/0/jpg.dzi` },
    { name: t("sharing.mapTiles"), address: `${base}/xyz/{z}/{x}/{y}.jpg` },
    { name: t("sharing.omeZarr"), address: `${base}/ome.zarr` },
    { name: t("sharing.dicomWeb"), address: `${origin}/api/v1/dicomweb` },
  ];
}
