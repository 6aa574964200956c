/** Encodes a file of this computer in workers of this page. */
import { SlideFileError } from "../../wire/files/errors";
import type { FromEncoding, Order, ToEncoding, ToStrips } from "./protocol";
import type { LocalQuality } from "./choice";

/** What is chosen for a file. */
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

/** Workers that encode strips, where the processor has room for them beside the one that reads and the page. */
const HELPERS = 2;

const startEncoding = (): Worker =>
  new Worker(new URL("./encodingWorker.ts", import.meta.url), { type: "module", name: "wavescope-encoding" });
const startStrips = (): Worker =>
  new Worker(new URL("./stripWorker.ts", import.meta.url), { type: "module", name: "wavescope-strips" });

/** Throws SlideFileError, EncodingError, and the abort of `signal`. */
export async function encodeLocal(
  file: File,
  choice: EncodingChoice,
  module: WebAssembly.Module,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<EncodedSlide> {
  signal.throwIfAborted();
  const helpers = Array.from({ length: navigator.hardwareConcurrency > 2 ? HELPERS : 1 }, startStrips);
  const ports = helpers.map((helper) => {
    const { port1, port2 } = new MessageChannel();
    helper.postMessage({ module, port: port1 } satisfies ToStrips, [port1]);
    return port2;
  });
  try {
    return await encoded(
      startEncoding(),
      { type: "start", module, file, ...choice, helpers: ports },
      onProgress,
      signal,
    );
  } finally {
    for (const helper of helpers) helper.terminate();
  }
}

/** Runs the order in the worker. */
export function encoded(
  worker: EncodingPort,
  order: Order,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<EncodedSlide> {
  const timer = new Timer();
  return new Promise((resolve, reject) => {
    /** Ends the worker once it has removed its files. */
    const remove = (): void => worker.postMessage({ type: "remove" });
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", abort);
      remove();
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    signal.addEventListener("abort", abort);
    worker.onerror = (event) => {
      fail(new EncodingError(event.message, false));
      worker.terminate();
    };
    worker.onmessage = ({ data }) => {
      if (data.type === "hashed")
        onProgress({ phase: data.done < data.total ? "hashing" : "choosing", ...timer.of(data) });
      else if (data.type === "encoded") onProgress({ phase: "encoding", ...timer.of(data) });
      else if (data.type === "failed") fail(errorOf(data));
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

const errorOf = ({ name, message, fault }: Extract<FromEncoding, { readonly type: "failed" }>): Error =>
  fault ? new SlideFileError(fault, message) : new EncodingError(message, name === "QuotaExceededError");

/** Of a title, with what file systems do not take replaced. */
export const fileName = (title: string): string => `${title.replace(/[\p{Cc}/\\:*?"<>|]/gu, "-")}.wsz`;

/** How long what is left will take, from the first report of a phase on. */
class Timer {
  private total = 0;
  private began = { at: 0, done: 0 };

  of({ done, total }: { readonly done: number; readonly total: number }): Pick<Progress, "share" | "secondsLeft"> {
    const now = performance.now();
    if (total !== this.total || done < this.began.done) {
      this.total = total;
      this.began = { at: now, done };
    }
    const made = done - this.began.done;
    const seconds = (now - this.began.at) / 1000;
    return { share: total > 0 ? done / total : 1, secondsLeft: made > 0 ? (seconds * (total - done)) / made : null };
  }
}
