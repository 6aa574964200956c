import { type Address, TILE } from "../geometry/pyramid";
import { bytesOfHex } from "../wire/slides/hexadecimal";
import { ByteLru } from "./byteLru";
import type { Block, Kernel, ParameterSet, Samples } from "./kernel";
import { type DecodeRequest, type DecodedPixels, type DecodedValues, type Link, samplesName } from "./protocol";

export interface Decoded {
  readonly samples: Samples;
  readonly parameters: ParameterSet;
}

/** Parameter sets at hand: of a dozen slides. */
const MAX_PARAMETER_SETS = 256;

/** A block of the chain is not decodable: its bytes are corrupt, or they are of another slide. */
export class BlockError extends Error {
  override readonly name = "BlockError";

  constructor(
    readonly address: Address,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The samples that the request builds on are not here any more. */
export class MissingParentError extends Error {
  override readonly name = "MissingParentError";
}

/**
 * Decodes a tile from its chain of ancestors. Samples of tiles that may become parents are cached within a byte budget, by tile
 * and number of layers, so that siblings and descendants start from the nearest ancestor at hand.
 */
export class ChainDecoder {
  private readonly cache: ByteLru<Decoded>;
  private readonly parameterSets = new Map<string, ParameterSet>();

  constructor(
    protected readonly kernel: Kernel,
    budget: number,
  ) {
    this.cache = new ByteLru(budget);
  }

  get decodedBytes(): number {
    return this.cache.bytes;
  }

  /** RGBA of pixels(tile, K). Throws BlockError, MissingParentError. */
  pixels(request: DecodeRequest): DecodedPixels {
    const { width, height, chain, cachedParent } = request;
    const last = chain.at(-1);
    if (last?.address.level === 0 && (cachedParent || chain.length > 1)) {
      const parent = this.decode(request, chain.slice(0, -1));
      const decode = (): DecodedPixels["rgba"] =>
        this.kernel.decodePixels(parent.samples, this.blockOf(last), { width, height });
      return { width, height, rgba: guarded(last.address, decode) };
    }
    const { samples, parameters } = this.decode(request, chain);
    return { width, height, rgba: this.kernel.pixels(samples, parameters, { width, height }) };
  }

  /** Of one channel, in the numbers of the source. Throws BlockError, MissingParentError. */
  values(request: DecodeRequest): DecodedValues {
    const { width, height, chain } = request;
    const { samples, parameters } = this.decode(request, chain);
    return { width, height, values: this.kernel.values(samples, parameters, { width, height }) };
  }

  protected decode(request: DecodeRequest, chain: DecodeRequest["chain"]): Decoded {
    let done = chain.length;
    let decoded: Decoded | undefined;
    while (!decoded && done > 0) decoded = this.cachedSamples(request, chain[--done]!.address);
    if (decoded) done += 1;
    else if (request.cachedParent) decoded = this.cachedSamples(request, request.cachedParent);
    else decoded = this.cacheSamples(request, chain[done++]!, this.decodeTop(chain[0]!));
    if (!decoded) throw new MissingParentError("the samples to build on are not here");
    for (const link of chain.slice(done)) {
      decoded = this.cacheSamples(request, link, this.decodeChild(decoded, link));
    }
    return decoded;
  }

  private decodeTop(link: Link): Decoded {
    return guarded(link.address, () => {
      const block = this.blockOf(link);
      return { samples: this.kernel.decodeApproximation(block), parameters: block.parameters };
    });
  }

  private decodeChild(parent: Decoded, link: Link): Decoded {
    return guarded(link.address, () => {
      const block = this.blockOf(link);
      return { samples: this.kernel.decodeTile(parent.samples, block), parameters: block.parameters };
    });
  }

  private blockOf({ address, layers, parameters }: Link): Block {
    let read = this.parameterSets.get(parameters);
    if (!read) {
      if (this.parameterSets.size >= MAX_PARAMETER_SETS) this.parameterSets.clear();
      read = this.kernel.readParameters(bytesOfHex(parameters));
      this.parameterSets.set(parameters, read);
    }
    return { parameters: read, address, layers };
  }

  private cachedSamples(request: DecodeRequest, address: Address): Decoded | undefined {
    return this.cache.get(samplesName(request, address));
  }

  private cacheSamples(request: DecodeRequest, link: Link, decoded: Decoded): Decoded {
    if (link.address.level > 0) this.cache.set(samplesName(request, link.address), decoded, decoded.samples.byteLength);
    return decoded;
  }
}

/** Bytes of one tile's samples. */
export function samplesBytes(channels: number): number {
  return channels * TILE * TILE * Int16Array.BYTES_PER_ELEMENT;
}

function guarded<T>(address: Address, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    throw new BlockError(address, error);
  }
}
