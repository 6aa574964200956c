/** The codec alone, for Node, workers and pages: `wavescope/kernel` (static.md, SH24). */
import { type Size, TILE } from "@wavescope/core/geometry/pyramid";
import type { Block, Kernel } from "@wavescope/core/codec/kernel";

export { CodecError, KernelMismatch, loadKernel } from "@wavescope/core/codec/kernel";
export type { Block, Kernel, ParameterSet, Samples, Values } from "@wavescope/core/codec/kernel";

/** The part of a slide's manifest (WI7) that decoding needs. */
export interface Coded {
  readonly levels: number;
  readonly sizes: readonly Size[];
  readonly parameters: readonly (readonly string[])[];
}

export interface TileAddress {
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly plane: number;
}

/**
 * RGBA of a tile of at most 256 x 256 pixels. `bytesOf`: all bytes of a part of the slide's version, by its path below the manifest's `url`
 * (WI15); none are an empty block. The parts are requested together. Throws RangeError, CodecError, and what `bytesOf` throws.
 */
export async function decodeTile(
  kernel: Kernel,
  slide: Coded,
  { level, x, y, plane }: TileAddress,
  bytesOf: (path: string) => Promise<Uint8Array>,
): Promise<{ width: number; height: number; rgba: Uint8ClampedArray<ArrayBuffer> }> {
  const { levels, sizes, parameters } = slide;
  const size = sizes[level];
  const [width, height] = [rest(size?.width, x), rest(size?.height, y)];
  if (!(width > 0 && height > 0 && plane >= 0 && Number.isInteger(plane)))
    throw new RangeError("there is no such tile");
  const blockAt = async (at: number): Promise<Block> => {
    const address = { z: plane, x: x >> (at - level), y: y >> (at - level) };
    const path = at === levels - 1 ? `approximation/${plane}/0` : `blocks/${plane}/0/${at}/${address.x}/${address.y}`;
    const bytes = await bytesOf(path);
    return {
      parameters: kernel.readParameters(fromHex(parameters[at]![0]!)),
      address,
      layers: bytes.length ? [bytes] : [],
    };
  };
  const [top, ...blocks] = await Promise.all(Array.from({ length: levels - level }, (_, i) => blockAt(levels - 1 - i)));
  const samples = blocks.reduce((parent, block) => kernel.decodeTile(parent, block), kernel.decodeApproximation(top!));
  const rgba = kernel.pixels(samples, (blocks.at(-1) ?? top!).parameters, { width, height });
  return { width, height, rgba };
}

/** Pixels of a side that a tile covers; NaN, 0 or less: none. */
const rest = (side = 0, index: number): number =>
  Number.isInteger(index) && index >= 0 ? Math.min(TILE, side - TILE * index) : 0;

const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
