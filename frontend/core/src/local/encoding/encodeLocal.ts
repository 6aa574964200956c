/** Encodes a local picture in workers of this page. */
import type { LocalPicture } from "../localPicture";
import type { FromEncoding, Order, ToEncoding, ToStrips } from "./protocol";
import type { LocalQuality } from "./trials";

/** A file that is open here. */
export interface LocalSource {
  readonly picture: LocalPicture;
  readonly file: File;
  /** As the service names it: `svs`, `tiff`, ... */
  readonly format: string;
  /** Of its own tiles of all levels, in bytes; null: it has none. */
  readonly tileBytes: number | null;
}

/** What is chosen for it. */
export interface EncodingChoice {
  readonly quality: LocalQuality;
  /** Of the slide; its file is called so. */
  readonly title: string;
}

export interface Progress {
  readonly phase: "hashing" | "choosing" | "encoding";
  /** Of the phase; 0 to 1. */
  readonly share: number;
  /** Null while it is unknown. */
  readonly secondsLeft: number | null;
}

export interface EncodedSlide {
  readonly digest: string;
  /** An exported slide (SH10). It can be read until `remove`. */
  readonly file: File;
  /** Bytes of its layers. */
  readonly codedBytes: number;
  readonly remove: () => void;
}

/** An encoding that did not succeed; `storageFull`: for want of space in the browser's storage. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  constructor(
    message: string,
    readonly storageFull: boolean,
  ) {
    super(message);
  }
}

/** The part of Worker that is used. */
export interface EncodingPort {
  postMessage(message: ToEncoding, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromEncoding>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Two workers encode strips, where the processor has room for them beside the page's own work. */
const HELPERS = 2;

const startEncoding = (): Worker =>
  new Worker(new URL("./encodingWorker.ts", import.meta.url), { type: "module", name: "wavescope-encoding" });
const startStrips = (): Worker =>
  new Worker(new URL("./stripWorker.ts", import.meta.url), { type: "module", name: "wavescope-strips" });

/** Throws EncodingError, what the picture throws, and the abort of `signal`. */
export async function encodeLocal(
  { picture, file, format, tileBytes }: LocalSource,
  { quality, title }: EncodingChoice,
  module: WebAssembly.Module,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<EncodedSlide> {
  signal.throwIfAborted();
  const helpers = Array.from({ length: navigator.hardwareConcurrency > 2 ? HELPERS : 1 }, startStrips);
  const ports = helpers.map((helper) => {
    const { port1, port2 } = new MessageChannel();
    helper.postMessage({ type: "serve", module, port: port1 } satisfies ToStrips, [port1]);
    return port2;
  });
  const { width, height, facts } = picture;
  const { mppX, mppY, objective, vendor } = facts;
  const source = {
    width,
    height,
    format,
    bytes: file.size,
    tileBytes,
    mppX,
    mppY,
    objective,
    vendor,
    icc: copied(facts.icc),
  };
  const order: Order = { type: "start", module, file, source, quality, title, helpers: ports };
  try {
    return await encoded(startEncoding(), order, picture, onProgress, signal);
  } finally {
    for (const helper of helpers) helper.terminate();
  }
}

const copied = (bytes: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined => bytes && new Uint8Array(bytes);

/** Runs the order in the worker. */
export function encoded(
  worker: EncodingPort,
  order: Order,
  picture: Pick<LocalPicture, "readRegion">,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<EncodedSlide> {
  const timer = new Timer();
  const reading = new AbortController();
  let failure: Error | null = null; // of the picture: it says more than what the worker makes of it
  return new Promise((resolve, reject) => {
    /** Ends the worker once it has removed its files. */
    const remove = (): void => {
      reading.abort();
      worker.postMessage({ type: "remove" });
    };
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", abort);
      remove();
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    signal.addEventListener("abort", abort);
    const read = async (id: number, [x, y, width, height]: readonly [number, number, number, number]) => {
      try {
        const data = await picture.readRegion(0, x, y, width, height, reading.signal);
        const own = data.byteLength === data.buffer.byteLength ? data : data.slice();
        worker.postMessage({ type: "pixels", id, pixels: { width, height, data: own } }, [own.buffer as ArrayBuffer]);
      } catch (error) {
        failure = error as Error;
        worker.postMessage({ type: "unreadable", id, message: String(error) });
      }
    };
    worker.onerror = (event) => {
      worker.terminate();
      fail(new EncodingError(event.message, false));
    };
    worker.onmessage = ({ data }) => {
      if (data.type === "read") void read(data.id, data.region);
      else if (data.type === "hashed")
        onProgress({ phase: data.done < data.total ? "hashing" : "choosing", ...timer.of(data) });
      else if (data.type === "encoded") onProgress({ phase: "encoding", ...timer.of(data) });
      else if (data.type === "failed")
        fail(failure ?? new EncodingError(data.message, data.name === "QuotaExceededError"));
      else if (data.type === "removed") worker.terminate();
      else {
        signal.removeEventListener("abort", abort);
        const file = new File([data.archive], fileName(order.title), { type: data.archive.type });
        resolve({ digest: data.digest, file, codedBytes: data.codedBytes, remove });
      }
    };
    worker.postMessage(order, [...order.helpers]);
  });
}

/** Of a title, with what file systems do not take replaced. */
export const fileName = (title: string): string => `${title.replace(/[\p{Cc}/\\:*?"<>|]/gu, "-")}.wsz`;

/** How long what is left will take, from the first report of a phase on. */
class Timer {
  private total = 0;
  private began = { at: 0, done: 0 };

  of({ done, total }: { readonly done: number; readonly total: number }): Pick<Progress, "share" | "secondsLeft"> {
    const now = performance.now();
    if (total !== this.total) {
      this.total = total;
      this.began = { at: now, done };
    }
    const made = done - this.began.done;
    const seconds = (now - this.began.at) / 1000;
    return { share: total > 0 ? done / total : 1, secondsLeft: made > 0 ? (seconds * (total - done)) / made : null };
  }
}
