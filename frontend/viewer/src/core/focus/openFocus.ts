/** Pictures of slides with several focal planes. */
import { startFocusDecoder } from "@wavescope/core/codec/focusPool";
import { DecodePool } from "@wavescope/core/codec/pool";
import { FocusPictures } from "@wavescope/core/tiles/focus/focusPictures";
import { WaveletPictures, type WaveletPicturesOptions } from "@wavescope/core/tiles/waveletPictures";
import type { Budgets } from "../device/budgets";

export function openFocus(
  options: WaveletPicturesOptions,
  budgets: Budgets,
  module: Promise<WebAssembly.Module>,
): FocusPictures {
  return focusOf(budgets, options, module)(new WaveletPictures(options));
}

/** Gives pictures of the planes extended depth of field: those of the slide, or of each of its channels. All have one pool of workers. */
export function focusOf(
  { workers, samples }: Budgets,
  { manifest, events }: Pick<WaveletPicturesOptions, "manifest" | "events">,
  module: Promise<WebAssembly.Module>,
): (pictures: WaveletPictures) => FocusPictures {
  let pool: DecodePool | null = null;
  return (pictures) =>
    new FocusPictures({
      pictures,
      planes: manifest.planes,
      openPool: () => (pool ??= new DecodePool(workers, startFocusDecoder, module, samples)),
      changed: () => events.changed(),
    });
}
