/**
 * Decoding workers. Tiles of one parent go to one worker, which then has the parent's samples at hand, and in one message. Each worker
 * is given few messages at a time, so that the rest can still be reordered or dropped when the view moves on. A worker that dies is
 * replaced and its jobs are given to its successor, each once, one by one.
 */
import { type Address, parentOf, sameAddress } from "../geometry/pyramid";
import { WorkerCacheMirror } from "./workerCacheMirror";
import type {
  DecodeResponse,
  DecodeRequest,
  DecodedPixels,
  DecodedValues,
  FromWorker,
  ToWorker,
  WorkerMemory,
} from "./protocol";

type Made = ImageBitmap | DecodedPixels | DecodedValues;

/** The part of Worker that the pool uses. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/** Rejects the promise of a dropped job: its picture is no longer needed. */
export class DroppedError extends Error {
  override readonly name = "DroppedError";
}

/** A worker died twice over the same job, or cannot start. */
export class WorkerFailedError extends Error {
  override readonly name = "WorkerFailedError";
}

/** A block of the chain is corrupt. */
export class UndecodableError extends Error {
  override readonly name = "UndecodableError";

  constructor(
    readonly address: Address,
    reason: string,
  ) {
    super(reason);
  }
}

/** Called each time a worker is free: lower comes first; null: no longer needed. */
export type Priority = () => number | null;

interface Job {
  readonly request: DecodeRequest;
  readonly priority: Priority;
  readonly resolve: (result: Made) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
  /** The worker did not have at hand what it was to have. */
  complete: boolean;
}

interface WorkerSlot {
  worker: WorkerLike;
  mirror: WorkerCacheMirror;
  queue: Job[];
  readonly running: Map<number, readonly Job[]>;
  readonly memoryRequests: Map<number, (memory: WorkerMemory) => void>;
  failures: number;
}

/** One being decoded, one already there when it is done. */
const MESSAGES_AT_A_TIME = 2;
/** Jobs of one message: the children of a tile. */
const JOBS_PER_MESSAGE = 4;
const MAX_ATTEMPTS = 2;
/** Worker starts that may fail in a row before its slot is given up. */
const MAX_FAILURES = 4;

/** One for each processor but the page's own; where there are only two the page, which seldom needs all of its, shares it. */
export function poolSize(hardwareConcurrency = 2): number {
  return Math.min(hardwareConcurrency > 2 ? hardwareConcurrency - 1 : hardwareConcurrency, 4);
}

export const startDecoder = (): Worker =>
  new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "wavescope-decoder" });

export class DecodePool {
  private readonly slots: WorkerSlot[];
  private module: WebAssembly.Module | null = null;
  private nextId = 1;
  private closed = false;
  private dispatching = false;

  constructor(
    size: number,
    private readonly makeWorker: () => WorkerLike,
    /** Workers are given it when it is here; jobs are submitted only then. */
    module: WebAssembly.Module | Promise<WebAssembly.Module>,
    /** Bytes of parents' samples that all workers together may keep. */
    private readonly budget: number,
  ) {
    this.slots = Array.from({ length: size }, () => this.makeSlot(size));
    if (module instanceof Promise) {
      module.then(
        (ready) => this.give(ready, size),
        () => this.close(), // reported to the owner of the promise
      );
    } else this.give(module, size);
  }

  bitmap(request: Omit<DecodeRequest, "output">, priority: Priority): Promise<ImageBitmap> {
    return this.submit({ ...request, output: "bitmap" }, priority) as Promise<ImageBitmap>;
  }

  pixels(request: Omit<DecodeRequest, "output">, priority: Priority = () => 0): Promise<DecodedPixels> {
    return this.submit({ ...request, output: "pixels" }, priority) as Promise<DecodedPixels>;
  }

  values(request: Omit<DecodeRequest, "output">, priority: Priority = () => 0): Promise<DecodedValues> {
    return this.submit({ ...request, output: "values" }, priority) as Promise<DecodedValues>;
  }

  /** Drops jobs that are no longer needed and gives free workers their next job. */
  reprioritise(): void {
    for (const slot of this.slots) this.dispatchJobs(slot);
  }

  async memory(): Promise<WorkerMemory> {
    const parts = await Promise.all(this.slots.map((slot) => this.requestMemory(slot)));
    return parts.reduce(
      (sum, part) => ({
        decodedBytes: sum.decodedBytes + part.decodedBytes,
        wasmBytes: sum.wasmBytes + part.wasmBytes,
      }),
      { decodedBytes: 0, wasmBytes: 0 },
    );
  }

  close(): void {
    this.closed = true;
    for (const slot of this.slots) {
      slot.worker.terminate();
      this.drop(slot, [...[...slot.running.values()].flat(), ...slot.queue], new DroppedError("the pool is closed"));
    }
  }

  /** Starts the workers with the kernel. */
  private give(module: WebAssembly.Module, size: number): void {
    if (this.closed) return;
    this.module = module;
    for (const slot of this.slots) this.start(slot, size);
  }

  private submit(request: DecodeRequest, priority: Priority): Promise<Made> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new DroppedError("the pool is closed"));
      const slot = this.slots[slotOf(request.chain[request.chain.length - 1]!.address, this.slots.length)]!;
      slot.queue.push({ request, priority, resolve, reject, attempts: 0, complete: false });
      this.dispatchSoon();
    });
  }

  /** Once, after all jobs that are submitted together: those of one parent share a message. */
  private dispatchSoon(): void {
    if (this.dispatching) return;
    this.dispatching = true;
    queueMicrotask(() => {
      this.dispatching = false;
      if (!this.closed) this.reprioritise();
    });
  }

  private makeSlot(size: number): WorkerSlot {
    const slot: WorkerSlot = {
      worker: this.makeWorker(),
      mirror: new WorkerCacheMirror(0),
      queue: [],
      running: new Map(),
      memoryRequests: new Map(),
      failures: 0,
    };
    this.start(slot, size);
    return slot;
  }

  private start(slot: WorkerSlot, size: number): void {
    const { worker } = slot;
    worker.onmessage = ({ data }) => this.receive(slot, data);
    worker.onerror = (event) => this.restart(slot, size, event.message || "a decoding worker died");
    worker.onmessageerror = () => this.restart(slot, size, "a decoding worker sent an invalid message");
    const budget = Math.floor(this.budget / size);
    slot.mirror = new WorkerCacheMirror(budget);
    if (this.module) worker.postMessage({ type: "start", module: this.module, budget });
  }

  private restart(slot: WorkerSlot, size: number, reason: string): void {
    if (this.closed) return;
    slot.worker.terminate();
    slot.failures += 1;
    const lost = [...slot.running.values()].flat();
    slot.running.clear();
    for (const resolve of slot.memoryRequests.values()) resolve({ decodedBytes: 0, wasmBytes: 0 });
    slot.memoryRequests.clear();
    const givenUp = slot.failures > MAX_FAILURES;
    const fatal = lost.filter((job) => givenUp || job.attempts >= MAX_ATTEMPTS);
    slot.queue.unshift(...lost.filter((job) => !fatal.includes(job)));
    if (givenUp) fatal.push(...slot.queue.splice(0));
    this.drop(slot, fatal, new WorkerFailedError(reason));
    slot.worker = this.makeWorker();
    this.start(slot, size);
    this.dispatchJobs(slot);
  }

  private drop(slot: WorkerSlot, jobs: readonly Job[], error: Error): void {
    slot.queue = slot.queue.filter((job) => !jobs.includes(job));
    for (const job of jobs) job.reject(error);
  }

  private dispatchJobs(slot: WorkerSlot): void {
    const ranked = slot.queue.map((job) => ({ job, rank: job.priority() }));
    this.drop(
      slot,
      ranked.filter(({ rank }) => rank === null).map(({ job }) => job),
      new DroppedError("no longer wanted"),
    );
    let wanted = ranked.filter(({ rank }) => rank !== null).sort((a, b) => a.rank! - b.rank!);
    while (wanted.length > 0 && slot.running.size < MESSAGES_AT_A_TIME) {
      const first = wanted[0]!.job;
      const jobs = wanted.map(({ job }) => job).filter((job) => job === first || shareMessage(first, job));
      this.send(slot, jobs.slice(0, JOBS_PER_MESSAGE));
      wanted = wanted.filter(({ job }) => slot.queue.includes(job));
    }
  }

  private send(slot: WorkerSlot, jobs: readonly Job[]): void {
    slot.queue = slot.queue.filter((job) => !jobs.includes(job));
    const id = this.nextId++;
    slot.running.set(id, jobs);
    const requests = jobs.map((job) => {
      job.attempts += 1;
      const shortened = slot.mirror.shorten(job.request);
      return job.complete ? job.request : shortened;
    });
    slot.worker.postMessage({ type: "decode", id, requests });
  }

  private receive(slot: WorkerSlot, message: FromWorker): void {
    if (message.type === "ready") {
      slot.failures = 0;
      return;
    }
    if (message.type === "memory") {
      slot.memoryRequests.get(message.id)?.(message.memory);
      slot.memoryRequests.delete(message.id);
      return;
    }
    const jobs = slot.running.get(message.id) ?? [];
    slot.running.delete(message.id);
    for (const [i, job] of jobs.entries()) this.settle(slot, job, message.responses[i]!);
    this.dispatchJobs(slot);
  }

  private settle(slot: WorkerSlot, job: Job, response: DecodeResponse): void {
    if (response.type === "missing-parent") {
      job.complete = true;
      job.attempts -= 1;
      slot.queue.unshift(job);
    } else if (response.type === "failed") {
      const { address, reason } = response;
      job.reject(address ? new UndecodableError(address, reason) : new WorkerFailedError(reason));
    } else if (response.type === "bitmap") job.resolve(response.bitmap);
    else job.resolve(response.type === "values" ? response.values : response.pixels);
  }

  private requestMemory(slot: WorkerSlot): Promise<WorkerMemory> {
    return new Promise((resolve) => {
      const id = this.nextId++;
      slot.memoryRequests.set(id, resolve);
      slot.worker.postMessage({ type: "memory", id });
    });
  }
}

function tileOf({ request: { chain } }: Job): Address {
  return chain[chain.length - 1]!.address;
}

/** Children of one tile with the same layers; a job whose worker died is sent alone. */
function shareMessage(one: Job, other: Job): boolean {
  const { slide, layers } = one.request;
  return (
    one.attempts + other.attempts === 0 &&
    slide === other.request.slide &&
    layers === other.request.layers &&
    sameAddress(parentOf(tileOf(one)), parentOf(tileOf(other)))
  );
}

/** Neighbouring parents go to different workers, the children of one parent to the same. */
function slotOf(tile: Address, slots: number): number {
  const parent = parentOf(tile);
  return (parent.x + parent.y + parent.level + parent.z) % slots;
}
