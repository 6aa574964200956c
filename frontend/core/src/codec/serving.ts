/** A decoding worker: it is given a kernel, then answers one message with one. */
import { BlockError, type ChainDecoder, MissingParentError } from "./chainDecoder";
import type { DecodeResponse, DecodeRequest, FromWorker, ToWorker } from "./protocol";

/** A worker's own scope, not a window's. */
declare const self: {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

/** Pixels are opaque, so multiplying by alpha changes none; but only then is the bitmap in the format of a canvas, which draws it several times as fast. */
const BITMAP: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "premultiply" };

/** `kernel`: whose memory is reported. */
export interface Loaded {
  readonly decoder: Pick<ChainDecoder, "pixels" | "values" | "decodedBytes">;
  readonly kernel: object;
}

/** `load` makes the decoder, with so many bytes for samples that it keeps. */
export function serve(load: (module: WebAssembly.Module, budget: number) => Promise<Loaded>): void {
  let loaded: Loaded | null = null;

  async function start(module: WebAssembly.Module, budget: number): Promise<void> {
    loaded = await load(module, budget);
    self.postMessage({ type: "ready" });
  }

  /** Decodes all requests, each building on those before it, while the browser makes bitmaps of what is decoded. */
  async function decode(id: number, requests: readonly DecodeRequest[]): Promise<void> {
    const responses = await Promise.all(requests.map(responseTo));
    self.postMessage({ type: "decoded", id, responses }, responses.flatMap(transferred));
  }

  async function responseTo(request: DecodeRequest): Promise<DecodeResponse> {
    try {
      if (!loaded) throw new Error("the worker has not been started");
      if (request.output === "values") return { type: "values", values: loaded.decoder.values(request) };
      const pixels = loaded.decoder.pixels(request);
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

  self.onmessage = ({ data }) => {
    if (data.type === "start") void start(data.module, data.budget);
    else if (data.type === "decode") void decode(data.id, data.requests);
    else {
      const memory = { decodedBytes: loaded?.decoder.decodedBytes ?? 0, wasmBytes: wasmBytesOf(loaded?.kernel) };
      self.postMessage({ type: "memory", id: data.id, memory });
    }
  };
}

function transferred(response: DecodeResponse): Transferable[] {
  if (response.type === "bitmap") return [response.bitmap];
  if (response.type === "values") return [response.values.values.buffer as ArrayBuffer];
  return response.type === "pixels" ? [response.pixels.rgba.buffer] : [];
}

/** The kernel keeps its memory to itself; its size is fixed when it is loaded. */
function wasmBytesOf(kernel: object | undefined): number {
  const { exports } = (kernel ?? {}) as { exports?: { memory?: WebAssembly.Memory } };
  return exports?.memory?.buffer.byteLength ?? 0;
}
