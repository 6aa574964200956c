/** From how many layers on a level's picture is as good as the slide gets at full magnification. */
import type { Manifest } from "../wire/slides/manifest";

/** PSNR measured on a few tiles says no more than this, in dB. */
const ALIKE = 0.75;

/**
 * For each level the fewest layers whose PSNR, measured at ingest, reaches what level 0 has with all of them (the visual end of the
 * profile; upper levels go beyond it, for the sake of the levels made of them). All layers where nothing was measured, and wherever
 * level 0 is lossless.
 */
export function sharpLayers({
  top,
  layers,
  details: { quality },
}: Pick<Manifest, "top" | "layers" | "details">): readonly number[] {
  const end = quality?.psnr[0]?.[layers - 1] ?? null;
  return Array.from({ length: top + 1 }, (_, level) => {
    const enough =
      end === null ? -1 : (quality?.psnr[level] ?? []).findIndex((psnr) => psnr !== null && psnr >= end - ALIKE);
    return level === 0 || enough < 0 ? layers : enough + 1;
  });
}
