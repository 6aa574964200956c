/** What formats and vendors are called; the service names them by ids (`png`, `aperio`). Pure. */

const ABBREVIATIONS = new Set(["png", "jpeg", "tiff", "ome", "dicom"]);

/** `PNG`, `OME-TIFF`, `Aperio`, `Focus series`. */
export function formatName(id: string): string {
  const words = id.split("-").map((word) => (ABBREVIATIONS.has(word) ? word.toUpperCase() : word));
  return capitalised(words.join(words.every((word) => word === word.toUpperCase()) ? "-" : " "));
}

/** As a file names its vendor, with a capital. */
export const vendorName = (name: string): string => capitalised(name);

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
