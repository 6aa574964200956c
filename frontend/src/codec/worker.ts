/** A decoding worker: one kernel, one bounded cache of parents. Answers one message per request. */
import { BlockError, ChainDecoder, MissingParentError } from "./chainDecoder";
import { type Kernel, loadKernel } from "./kernel";
import type { DecodeRequest, FromWorker, ToWorker } from "./protocol";

/** A worker's own scope, not a window's. */
declare const self: {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let kernel: Kernel | null = null;
let decoder: ChainDecoder | null = null;

async function start(module: WebAssembly.Module, budget: number): Promise<void> {
  kernel = await loadKernel(module);
  decoder = new ChainDecoder(kernel, budget);
  self.postMessage({ type: "ready" });
}

async function decode(id: number, request: DecodeRequest): Promise<void> {
  try {
    if (!decoder) throw new Error("the worker has not been started");
    const pixels = decoder.pixels(request);
    if (request.output === "pixels") {
      self.postMessage({ type: "pixels", id, pixels }, [pixels.rgba.buffer as ArrayBuffer]);
      return;
    }
    const image = new ImageData(pixels.rgba as Uint8ClampedArray<ArrayBuffer>, pixels.width, pixels.height);
    const bitmap = await createImageBitmap(image, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    self.postMessage({ type: "bitmap", id, bitmap }, [bitmap]);
  } catch (error) {
    if (error instanceof MissingParentError) return self.postMessage({ type: "missing-parent", id });
    const address = error instanceof BlockError ? error.address : null;
    self.postMessage({ type: "failed", id, address, reason: error instanceof Error ? error.message : String(error) });
  }
}

self.onmessage = ({ data }) => {
  if (data.type === "start") void start(data.module, data.budget);
  else if (data.type === "decode") void decode(data.id, data.request);
  else {
    const memory = { decodedBytes: decoder?.decodedBytes ?? 0, wasmBytes: wasmBytesOf(kernel) };
    self.postMessage({ type: "memory", id: data.id, memory });
  }
};

/** The kernel keeps its memory to itself; its size is fixed when it is loaded. */
function wasmBytesOf(loaded: Kernel | null): number {
  const { exports } = (loaded ?? {}) as { exports?: { memory?: WebAssembly.Memory } };
  return exports?.memory?.buffer.byteLength ?? 0;
}
