/** What the page and a decoding worker say to each other. */
import { type Address, keyOf } from "../geometry/pyramid";
import type { Values } from "./kernel";

/** One tile of a chain with the first K layers of its block; `[]` is an empty block. */
export interface Link {
  readonly address: Address;
  /** The parameter set of its level, in hexadecimal, as in the manifest. */
  readonly parameters: string;
  readonly layers: readonly Uint8Array[];
}

/** A request for pixels(tile, K). */
export interface DecodeRequest {
  /** Names the slide version, so that one worker may serve several. */
  readonly slide: string;
  /** From the top level (the approximation), or from below `cachedParent`, down to the tile itself. */
  readonly chain: readonly Link[];
  /** An ancestor (or the tile itself) whose samples the worker should have at hand. */
  readonly cachedParent?: Address;
  /** K: how many layers `chain` was cut to. Together with an address it names samples. */
  readonly layers: number;
  readonly channels: number;
  /** The part of the tile inside the slide. */
  readonly width: number;
  readonly height: number;
  /** `values`: of one channel, in the numbers of the source. */
  readonly output: "bitmap" | "pixels" | "values";
}

/** Names the samples of one of a request's tiles. */
export function samplesName({ slide, layers }: DecodeRequest, address: Address): string {
  return `${slide}:${keyOf(address)}@${layers}`;
}

export interface DecodedPixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

export interface DecodedValues {
  readonly width: number;
  readonly height: number;
  readonly values: Values;
}

export interface WorkerMemory {
  /** Samples of tiles cached as parents. */
  readonly decodedBytes: number;
  readonly wasmBytes: number;
}

/** The response to one request. */
export type DecodeResponse =
  | { readonly type: "bitmap"; readonly bitmap: ImageBitmap }
  | { readonly type: "pixels"; readonly pixels: DecodedPixels }
  | { readonly type: "values"; readonly values: DecodedValues }
  /** `cachedParent` is not in the cache: the complete chain is needed. */
  | { readonly type: "missing-parent" }
  /** `address`: the block that cannot be decoded; null: the worker itself failed. */
  | { readonly type: "failed"; readonly address: Address | null; readonly reason: string };

export type ToWorker =
  | { readonly type: "start"; readonly module: WebAssembly.Module; readonly budget: number }
  | { readonly type: "decode"; readonly id: number; readonly requests: readonly DecodeRequest[] }
  | { readonly type: "memory"; readonly id: number };

export type FromWorker =
  | { readonly type: "ready" }
  /** One answer for each request, in their order. */
  | { readonly type: "decoded"; readonly id: number; readonly responses: readonly DecodeResponse[] }
  | { readonly type: "memory"; readonly id: number; readonly memory: WorkerMemory };
