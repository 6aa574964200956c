/** What a decoding worker has in its cache, predicted: the mirror fills and empties by the same rules as the cache of parents. */
import { ByteLru } from "./byteLru";
import { samplesBytes } from "./chainDecoder";
import { type DecodeRequest, samplesName } from "./protocol";

export class WorkerCacheMirror {
  private readonly cache: ByteLru<true>;

  constructor(budget: number) {
    this.cache = new ByteLru(budget);
  }

  /**
   * The request without the blocks that the worker need not decode again, so that they are not copied to it. Requests are to be sent in
   * the order in which they were asked about. Where the prediction is wrong (a block before was corrupt), the worker says so.
   */
  shorten(request: DecodeRequest): DecodeRequest {
    const { chain } = request;
    let from = chain.length;
    while (from > 0 && !this.cache.get(samplesName(request, chain[from - 1]!.address))) from -= 1;
    for (const { address } of chain.slice(from)) {
      if (address.level > 0) this.cache.set(samplesName(request, address), true, samplesBytes(request.channels));
    }
    return from === 0 ? request : { ...request, cachedParent: chain[from - 1]!.address, chain: chain.slice(from) };
  }
}
