/** The page's side of the worker that reads a slide file. */
import { SlideFileError } from "../wire/files/errors";
import { OfflineError } from "../wire/http/errors";
import type { FromWorker, LocalDescription, ToWorker, WorkerFault } from "./protocol";
import type { TilePlace } from "./tileMaker";

/** What it needs of a Worker. */
export interface ReaderWorker {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

interface Waiting {
  readonly resolve: (picture: Blob) => void;
  readonly reject: (error: Error) => void;
}

const startReader = (): ReaderWorker =>
  new Worker(new URL("./fileWorker.ts", import.meta.url), { type: "module", name: "wavescope-file" });

/** Loaded already, and of no file yet. */
let spare: ReaderWorker | null = null;

/** Starts what opening a file will wait for, while it is being chosen. */
export function prepareReader(): void {
  spare ??= startReader();
}

function takeReader(): ReaderWorker {
  const worker = spare ?? startReader();
  spare = null;
  return worker;
}

export class LocalReader {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private ended: Error | null = null;

  private constructor(
    private readonly worker: ReaderWorker,
    readonly description: LocalDescription,
    readonly thumbnail: Blob,
  ) {
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = ({ message }) => this.end(new OfflineError(message || "the reading worker died"));
  }

  /** Throws SlideFileError, OfflineError. */
  static open(file: File, worker: ReaderWorker = takeReader()): Promise<LocalReader> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        worker.terminate();
        reject(error);
      };
      worker.onerror = ({ message }) => refuse(new OfflineError(message || "the reading worker did not start"));
      worker.onmessage = ({ data }) => {
        if (data.type === "opened") resolve(new LocalReader(worker, data.description, blobOf(data.thumbnail)));
        else if (data.type === "refused") refuse(errorOf(data.error));
      };
      worker.postMessage({ type: "open", file });
    });
  }

  /** A tile of the pyramid of halves. Throws SlideFileError, OfflineError; AbortError once it is closed. */
  tile(place: TilePlace): Promise<Blob> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ type: "tile", id, place });
    });
  }

  close(): void {
    this.end(new DOMException("the slide is closed", "AbortError"));
  }

  private receive(message: FromWorker): void {
    if (message.type !== "tile" && message.type !== "failed") return;
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === "tile") waiting?.resolve(blobOf(message.picture));
    else waiting?.reject(errorOf(message.error));
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

const blobOf = (picture: ArrayBuffer): Blob => new Blob([picture], { type: "image/bmp" });

const errorOf = ({ fault, message }: WorkerFault): Error =>
  fault ? new SlideFileError(fault, message) : new OfflineError(message);
