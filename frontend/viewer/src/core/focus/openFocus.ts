/** Pictures of slides with several focal planes. */
import { startFocusDecoder } from "@wavescope/core/codec/focusPool";
import { DecodePool } from "@wavescope/core/codec/pool";
import { FocusPictures } from "@wavescope/core/tiles/focus/focusPictures";
import { WaveletPictures, type WaveletPicturesOptions } from "@wavescope/core/tiles/waveletPictures";
import type { Budgets } from "../device/budgets";

export function openFocus(
  options: WaveletPicturesOptions,
  { workers, samples }: Budgets,
  module: Promise<WebAssembly.Module>,
): FocusPictures {
  return new FocusPictures({
    pictures: new WaveletPictures(options),
    planes: options.manifest.planes,
    openPool: () => new DecodePool(workers, startFocusDecoder, module, samples),
    changed: () => options.events.changed(),
  });
}
