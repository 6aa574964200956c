/** The page's end of the worker of overlays. */
import type { Answers, FromWorker, Kind, Requests } from "./protocol";

/** The worker ended, or failed over a request. */
export class OverlayWorkerError extends Error {
  override readonly name = "OverlayWorkerError";
}

/** The part of Worker that is used. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  readonly resolve: (answer: Answers[Kind]) => void;
  readonly reject: (error: Error) => void;
}

export const startOverlayWorker = (): Worker =>
  new Worker(new URL("./overlayWorker.ts", import.meta.url), { type: "module", name: "wavescope-overlays" });

export class WorkerLink {
  private readonly worker: WorkerLike;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private ended = false;

  constructor(start: () => WorkerLike = startOverlayWorker) {
    this.worker = start();
    this.worker.onmessage = ({ data }) => this.answered(data);
    this.worker.onerror = () => this.close();
  }

  /** Rejects with OverlayWorkerError, or with AbortError if the worker took notice of the signal in time. */
  ask<K extends Kind>(
    kind: K,
    request: Requests[K],
    { transfer = [], signal }: { readonly transfer?: Transferable[]; readonly signal?: AbortSignal } = {},
  ): Promise<Answers[K]> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new OverlayWorkerError("the worker has ended"));
      const id = (this.next += 1);
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.worker.postMessage({ id, kind, ...request }, transfer);
      signal?.addEventListener("abort", () => this.waiting.has(id) && this.worker.postMessage({ id, kind: "cancel" }));
    });
  }

  close(): void {
    this.ended = true;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new OverlayWorkerError("the worker has ended"));
    this.waiting.clear();
  }

  private answered(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!("failure" in message)) return waiting?.resolve(message.answer);
    const { failure, cancelled } = message;
    waiting?.reject(cancelled ? new DOMException(failure, "AbortError") : new OverlayWorkerError(failure));
  }
}
