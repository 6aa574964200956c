/** The mix that was copied in this browser, for slides with channels of the same names. */
import type { NamedShown } from "@wavescope/core/tiles/channels/settings";

const KEY = "wavescope.mix";

export function copyMix(mix: readonly NamedShown[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(mix));
  } catch {
    // the storage is full or forbidden: there is nothing to paste
  }
}

/** Empty if none was copied. */
export function copiedMix(): readonly NamedShown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter(isShown) : [];
  } catch {
    return [];
  }
}

function isShown(value: unknown): value is NamedShown {
  const { name, colour, low, high, gamma } = Object(value) as Record<string, unknown>;
  const isMixed = typeof colour === "string" && /^[0-9A-F]{6}$/.test(colour);
  return typeof name === "string" && isMixed && [low, high, gamma].every(Number.isInteger);
}
