/** What an automatic alignment leaves: pure. */
import type { SlideRegistration } from "@wavescope/core/wire/slides/registrationClient";

export interface LeftOver {
  /** Level-0 pixels of the right slide. */
  readonly median: number;
  /** Of 95 of 100 cells it is less. */
  readonly most: number;
}

export function leftOver({ residuals }: Pick<SlideRegistration, "residuals">): LeftOver {
  const lengths = residuals.map(([, , dx, dy]) => Math.hypot(dx, dy)).sort((one, other) => one - other);
  const share = (part: number): number => lengths[Math.min(lengths.length - 1, Math.floor(part * lengths.length))] ?? 0;
  return { median: share(0.5), most: share(0.95) };
}
