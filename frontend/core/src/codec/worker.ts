/** A decoding worker: one kernel, one bounded cache of parents. Answers one message with one. */
import { BlockError, ChainDecoder, MissingParentError } from "./chainDecoder";
import { type Kernel, loadKernel } from "./kernel";
import type { DecodeResponse, DecodeRequest, FromWorker, ToWorker } from "./protocol";

/** A worker's own scope, not a window's. */
declare const self: {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

/** Pixels are opaque, so multiplying by alpha changes none; but only then is the bitmap in the format of a canvas, which draws it several times as fast. */
const BITMAP: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "premultiply" };

let kernel: Kernel | null = null;
let decoder: ChainDecoder | null = null;

async function start(module: WebAssembly.Module, budget: number): Promise<void> {
  kernel = await loadKernel(module);
  decoder = new ChainDecoder(kernel, budget);
  self.postMessage({ type: "ready" });
}

/** Decodes all requests, each building on those before it, while the browser makes bitmaps of what is decoded. */
async function decode(id: number, requests: readonly DecodeRequest[]): Promise<void> {
  const responses = await Promise.all(requests.map(responseTo));
  self.postMessage({ type: "decoded", id, responses }, responses.flatMap(transferred));
}

async function responseTo(request: DecodeRequest): Promise<DecodeResponse> {
  try {
    if (!decoder) throw new Error("the worker has not been started");
    if (request.output === "values") return { type: "values", values: decoder.values(request) };
    const pixels = decoder.pixels(request);
    if (request.output === "pixels") return { type: "pixels", pixels };
    const image = new ImageData(pixels.rgba, pixels.width, pixels.height);
    const bitmap = await createImageBitmap(image, BITMAP);
    return { type: "bitmap", bitmap };
  } catch (error) {
    if (error instanceof MissingParentError) return { type: "missing-parent" };
    const address = error instanceof BlockError ? error.address : null;
    return { type: "failed", address, reason: error instanceof Error ? error.message : String(error) };
  }
}

function transferred(response: DecodeResponse): Transferable[] {
  if (response.type === "bitmap") return [response.bitmap];
  if (response.type === "values") return [response.values.values.buffer as ArrayBuffer];
  return response.type === "pixels" ? [response.pixels.rgba.buffer] : [];
}

self.onmessage = ({ data }) => {
  if (data.type === "start") void start(data.module, data.budget);
  else if (data.type === "decode") void decode(data.id, data.requests);
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
