/** Pictures of slides of channels, mixed by WebGL where there is a graphics card. */
import { MixKernel } from "@wavescope/core/codec/mixKernel";
import { CanvasMixer } from "@wavescope/core/tiles/channels/canvasMixer";
import { type ChannelPictures, type OpenMixer, ofChannels } from "@wavescope/core/tiles/channels/channelPictures";
import type { MixEntries } from "@wavescope/core/tiles/channels/mixEntries";
import type { WaveletPicturesOptions } from "@wavescope/core/tiles/waveletPictures";
import type { Budgets } from "../device/budgets";
import { WebglMixer } from "./webglMixer";

/** Decoded samples, and their sums, have each this part of what pictures have. */
const PART = 1 / 3;

/** Once the kernel is here: it mixes, too. */
export async function openChannels(
  options: WaveletPicturesOptions,
  budgets: Budgets,
  mix: MixEntries | null,
  module: Promise<WebAssembly.Module>,
): Promise<ChannelPictures> {
  const { compressed, bitmaps } = budgets;
  const samples = bitmaps * PART;
  const kernel = await MixKernel.load(await module);
  const openMixer: OpenMixer = (range, lost) =>
    (lost && WebglMixer.open(range, samples, lost)) ?? new CanvasMixer(range, kernel);
  const several = options.manifest.planes > 1 && !options.manifest.preview;
  const withFocus = several ? (await import("../focus/openFocus")).focusOf(budgets, options, module) : undefined;
  return ofChannels(options, { compressed, samples }, mix, openMixer, withFocus);
}
