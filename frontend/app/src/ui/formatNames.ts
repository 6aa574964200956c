/** What formats and vendors are called; the service names them by ids (`png`, `aperio`). Pure. */

const ABBREVIATIONS = new Map([
  ...["png", "jpeg", "tiff", "qptiff", "ome", "dicom", "czi", "nd2"].map((id) => [id, id.toUpperCase()] as const),
  ["zarr", capitalised("zarr")],
]);

/** `PNG`, `OME-TIFF`, `Aperio`, `Focus series`. */
export function formatName(id: string): string {
  const words = id.split("-");
  const known = words.every((word) => ABBREVIATIONS.has(word));
  return capitalised(words.map((word) => ABBREVIATIONS.get(word) ?? word).join(known ? "-" : " "));
}

/** As a file names its vendor, with a capital. */
export const vendorName = (name: string): string => capitalised(name);

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
