/** Can this browser rebuild pixels itself? */

/** Null when it can; else why not, in a user's words. */
export function fallbackReason(search: string = location.search): string | null {
  const asked = new URLSearchParams(search).get("fallback");
  if (asked !== null && asked !== "0") return "asked for in the address";
  if (typeof WebAssembly !== "object" || !simdWorks()) return "this browser lacks WebAssembly with SIMD";
  if (typeof Worker === "undefined") return "this browser lacks web workers";
  if (typeof createImageBitmap === "undefined") return "this browser lacks image bitmaps";
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
