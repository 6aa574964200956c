/** The codec alone: it needs no page and no OpenSeadragon. */

/** RGBA of pixels, in memory that is not shared: `Uint8ClampedArray<ArrayBuffer>`, which TypeScript before 5.7 cannot say. */
export type Rgba = ReturnType<Uint8ClampedArray["slice"]>;

/** Samples of one tile, channels * 256 * 256, centred on 0. */
export type Samples = Int16Array;

/** Pixels of one channel in the numbers of the source. */
export type Values = Uint8Array | Int8Array | Uint16Array | Int16Array;

export interface ParameterSet {
  readonly raw: Int32Array;
  readonly kind: "details" | "approximation";
  readonly profile: "lossless" | "visual";
  readonly channels: number;
  readonly layers: number;
  readonly fractionBits: number;
  /** Of a pixel, 8 to 16; of more than 8, and of signed ones, there are values() only. */
  readonly bitDepth: number;
  readonly signed: boolean;
}

/** The first layers of the block (or approximation) at an address; [] is an empty block. */
export interface Block {
  readonly parameters: ParameterSet;
  readonly address: { readonly z: number; readonly x: number; readonly y: number };
  readonly layers: readonly Uint8Array[];
}

/** Used by one thread at a time. */
export interface Kernel {
  /** Of a manifest: `parameters[level][0]`, as bytes. Throws CodecError, as all of these. */
  readParameters(bytes: Uint8Array): ParameterSet;
  decodeApproximation(block: Block): Samples;
  /** The tile in its quadrant of its parent, refined by its block. */
  decodeTile(parent: Samples, block: Block): Samples;
  decodePixels(parent: Samples, block: Block, size: { readonly width: number; readonly height: number }): Rgba;
  /** RGBA of the top left width x height samples. */
  pixels(samples: Samples, parameters: ParameterSet, size: { readonly width: number; readonly height: number }): Rgba;
  /** The same of one channel of any depth, in the numbers of the source. */
  values(samples: Samples, parameters: ParameterSet, size: { readonly width: number; readonly height: number }): Values;
}

export type CodecErrorCode =
  | "truncated"
  | "magic"
  | "newer-version"
  | "checksum"
  | "order"
  | "binding"
  | "header"
  | "unsupported"
  | "space"
  | "argument"
  | "kind"
  | "channel-count"
  | "unsupported-channels"
  | "unsupported-depth"
  | "unsupported-tile";

/** Bytes that are not the layers of this block, or not a known parameter set. */
export class CodecError extends Error {
  constructor(code: CodecErrorCode, call: string);
  readonly name: "CodecError";
  readonly code: CodecErrorCode;
}

/** A WebAssembly module that is not the kernel. */
export class KernelMismatch extends Error {
  readonly name: "KernelMismatch";
}

/** `WebAssembly.Module`, where the project's types have it: those of Node alone have not. */
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Known } } } ? Known : never;

/** `wasm`: the package's `kernel.wasm`, or that of a service (`/api/v1/kernel.wasm`). */
export function loadKernel(wasm: ArrayBuffer | ReturnType<Uint8Array["slice"]> | Module): Promise<Kernel>;

/**
 * RGBA of a tile. `slide`: its manifest. `bytesOf`: all bytes of a part of its version, by the path below the manifest's `url`:
 * `approximation/0/0`, `blocks/0/0/3/5/6`; none are an empty block. Throws RangeError, CodecError.
 */
export function decodeTile(
  kernel: Kernel,
  slide: {
    readonly levels: number;
    readonly sizes: readonly { readonly width: number; readonly height: number }[];
    readonly parameters: readonly (readonly string[])[];
  },
  tile: { readonly level: number; readonly x: number; readonly y: number; readonly plane: number },
  bytesOf: (path: string) => Promise<Uint8Array>,
): Promise<{ readonly width: number; readonly height: number; readonly rgba: Rgba }>;
