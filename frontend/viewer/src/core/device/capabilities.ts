/** Can this browser rebuild pixels itself? */

import { t } from "@wavescope/core/i18n/i18n";
/** Null when it can; else why not, in a user's words. */
export function fallbackReason(search: string = location.search): string | null {
  const parameter = new URLSearchParams(search).get("fallback");
  if (parameter !== null && parameter !== "0") return t("viewer.askedForInAddress");
  if (typeof WebAssembly !== "object" || !simdWorks()) return t("viewer.noWebAssembly");
  if (typeof Worker === "undefined") return t("viewer.noWorkers");
  if (typeof createImageBitmap === "undefined") return t("viewer.noImageBitmaps");
  return null;
}

/** A module of one function that uses a 128-bit vector. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function simdWorks(): boolean {
  try {
    return WebAssembly.validate(SIMD_PROBE);
  } catch {
    return false;
  }
}
