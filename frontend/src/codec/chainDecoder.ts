import { type Address, TILE, keyOf, quadrantOf } from "../geometry/pyramid";
import { ByteLru } from "./byteLru";
import type { CodecHeader, Kernel, Samples } from "./kernel";
import type { DecodeRequest, DecodedPixels, Link } from "./protocol";

interface Decoded {
  readonly samples: Samples;
  readonly header: CodecHeader;
}

/** A block of the chain is not decodable: its bytes are harmed, or they are of another slide. */
export class BlockError extends Error {
  override readonly name = "BlockError";

  constructor(
    readonly address: Address,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Decodes a tile from its chain of ancestors. Samples of tiles that may become parents are kept within a byte budget, by tile
 * and number of layers, so that siblings and descendants start from the nearest ancestor at hand.
 */
export class ChainDecoder {
  private readonly kept: ByteLru<Decoded>;

  constructor(
    private readonly kernel: Kernel,
    budget: number,
  ) {
    this.kept = new ByteLru(budget);
  }

  get decodedBytes(): number {
    return this.kept.bytes;
  }

  /** RGBA of pixels(tile, K). Throws BlockError. */
  pixels(request: DecodeRequest): DecodedPixels {
    const { width, height, chain } = request;
    const last = chain.at(-1);
    if (last && chain.length > 1 && last.address.level === 0) {
      const parent = this.decode(request, chain.slice(0, -1));
      const [qx, qy] = quadrantOf(last.address);
      const show = (): DecodedPixels["rgba"] =>
        this.kernel.decodePixels(parent.samples, parent.header, qx, qy, [...last.layers], width, height);
      return { width, height, rgba: guarded(last.address, show) };
    }
    const { samples, header } = this.decode(request, chain);
    return { width, height, rgba: this.kernel.pixels(samples, header, width, height) };
  }

  private decode(request: DecodeRequest, chain: DecodeRequest["chain"]): Decoded {
    let start = chain.length - 1;
    let decoded = this.recall(request, chain[start]);
    while (!decoded && start > 0) {
      start -= 1;
      decoded = this.recall(request, chain[start]);
    }
    if (!decoded) decoded = this.keep(request, chain[0], this.decodeTop(chain[0]));
    for (const link of chain.slice(start + 1)) {
      decoded = this.keep(request, link, this.decodeChild(decoded, link, request.channels));
    }
    return decoded;
  }

  private decodeTop(link: Link): Decoded {
    return guarded(link.address, () => this.kernel.decodeApproximation([...link.layers]));
  }

  private decodeChild(parent: Decoded, link: Link, channels: number): Decoded {
    const [qx, qy] = quadrantOf(link.address);
    const samples = guarded(link.address, () => this.kernel.decodeTile(parent.samples, qx, qy, [...link.layers], channels));
    return { samples, header: parent.header };
  }

  private recall(request: DecodeRequest, link: Link): Decoded | undefined {
    return this.kept.get(nameOf(request, link));
  }

  private keep(request: DecodeRequest, link: Link, decoded: Decoded): Decoded {
    if (link.address.level > 0) this.kept.set(nameOf(request, link), decoded, decoded.samples.byteLength);
    return decoded;
  }
}

/** Bytes of one tile's samples. */
export function samplesBytes(channels: number): number {
  return channels * TILE * TILE * Int16Array.BYTES_PER_ELEMENT;
}

function nameOf(request: DecodeRequest, link: Link): string {
  return `${request.slide}:${keyOf(link.address)}@${request.layers}`;
}

function guarded<T>(address: Address, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    throw new BlockError(address, error);
  }
}
