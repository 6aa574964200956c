/**
 * Decoding workers. Tiles of one parent go to one worker, which then has the parent's samples at hand, and in one message. Each worker
 * is given few messages at a time, so that the rest can still be reordered or dropped when the view moves on. A worker that dies is
 * replaced and its jobs are given to its successor, each once, one by one.
 */
import { type Address, parentOf, sameAddress } from "../geometry/pyramid";
import { WorkerCacheMirror } from "./workerCacheMirror";
import type { DecodeAnswer, DecodeRequest, DecodedPixels, FromWorker, ToWorker, WorkerMemory } from "./protocol";

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
  readonly resolve: (result: ImageBitmap | DecodedPixels) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
  /** The worker did not have at hand what it was to have. */
  complete: boolean;
}

interface Lane {
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
/** Worker starts that may fail in a row before the lane is given up. */
const MAX_FAILURES = 4;

/** One for each processor but the page's own; where there are only two the page, which seldom needs all of its, shares it. */
export function poolSize(hardwareConcurrency = 2): number {
  return Math.min(hardwareConcurrency > 2 ? hardwareConcurrency - 1 : hardwareConcurrency, 4);
}

export class DecodePool {
  private readonly lanes: Lane[];
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
    this.lanes = Array.from({ length: size }, () => this.makeLane(size));
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

  /** Drops jobs that are no longer needed and gives free workers their next job. */
  reconsider(): void {
    for (const lane of this.lanes) this.dispatchJobs(lane);
  }

  async memory(): Promise<WorkerMemory> {
    const parts = await Promise.all(this.lanes.map((lane) => this.requestMemory(lane)));
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
    for (const lane of this.lanes) {
      lane.worker.terminate();
      this.drop(lane, [...[...lane.running.values()].flat(), ...lane.queue], new DroppedError("the pool is closed"));
    }
  }

  /** Starts the workers with the kernel. */
  private give(module: WebAssembly.Module, size: number): void {
    if (this.closed) return;
    this.module = module;
    for (const lane of this.lanes) this.start(lane, size);
  }

  private submit(request: DecodeRequest, priority: Priority): Promise<ImageBitmap | DecodedPixels> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new DroppedError("the pool is closed"));
      const lane = this.lanes[laneOf(request.chain[request.chain.length - 1].address, this.lanes.length)];
      lane.queue.push({ request, priority, resolve, reject, attempts: 0, complete: false });
      this.dispatchSoon();
    });
  }

  /** Once, after all jobs that are submitted together: those of one parent share a message. */
  private dispatchSoon(): void {
    if (this.dispatching) return;
    this.dispatching = true;
    queueMicrotask(() => {
      this.dispatching = false;
      if (!this.closed) this.reconsider();
    });
  }

  private makeLane(size: number): Lane {
    const lane: Lane = {
      worker: this.makeWorker(),
      mirror: new WorkerCacheMirror(0),
      queue: [],
      running: new Map(),
      memoryRequests: new Map(),
      failures: 0,
    };
    this.start(lane, size);
    return lane;
  }

  private start(lane: Lane, size: number): void {
    const { worker } = lane;
    worker.onmessage = ({ data }) => this.receive(lane, data);
    worker.onerror = (event) => this.restart(lane, size, event.message || "a decoding worker died");
    worker.onmessageerror = () => this.restart(lane, size, "a decoding worker sent an invalid message");
    const budget = Math.floor(this.budget / size);
    lane.mirror = new WorkerCacheMirror(budget);
    if (this.module) worker.postMessage({ type: "start", module: this.module, budget });
  }

  private restart(lane: Lane, size: number, reason: string): void {
    if (this.closed) return;
    lane.worker.terminate();
    lane.failures += 1;
    const lost = [...lane.running.values()].flat();
    lane.running.clear();
    for (const answer of lane.memoryRequests.values()) answer({ decodedBytes: 0, wasmBytes: 0 });
    lane.memoryRequests.clear();
    const givenUp = lane.failures > MAX_FAILURES;
    const fatal = lost.filter((job) => givenUp || job.attempts >= MAX_ATTEMPTS);
    lane.queue.unshift(...lost.filter((job) => !fatal.includes(job)));
    if (givenUp) fatal.push(...lane.queue.splice(0));
    this.drop(lane, fatal, new WorkerFailedError(reason));
    lane.worker = this.makeWorker();
    this.start(lane, size);
    this.dispatchJobs(lane);
  }

  private drop(lane: Lane, jobs: readonly Job[], error: Error): void {
    lane.queue = lane.queue.filter((job) => !jobs.includes(job));
    for (const job of jobs) job.reject(error);
  }

  private dispatchJobs(lane: Lane): void {
    const ranked = lane.queue.map((job) => ({ job, rank: job.priority() }));
    this.drop(
      lane,
      ranked.filter(({ rank }) => rank === null).map(({ job }) => job),
      new DroppedError("no longer wanted"),
    );
    let wanted = ranked.filter(({ rank }) => rank !== null).sort((a, b) => a.rank! - b.rank!);
    while (wanted.length > 0 && lane.running.size < MESSAGES_AT_A_TIME) {
      const [{ job: first }] = wanted;
      const jobs = wanted.map(({ job }) => job).filter((job) => job === first || shareMessage(first, job));
      this.send(lane, jobs.slice(0, JOBS_PER_MESSAGE));
      wanted = wanted.filter(({ job }) => lane.queue.includes(job));
    }
  }

  private send(lane: Lane, jobs: readonly Job[]): void {
    lane.queue = lane.queue.filter((job) => !jobs.includes(job));
    const id = this.nextId++;
    lane.running.set(id, jobs);
    const requests = jobs.map((job) => {
      job.attempts += 1;
      const shortened = lane.mirror.shorten(job.request);
      return job.complete ? job.request : shortened;
    });
    lane.worker.postMessage({ type: "decode", id, requests });
  }

  private receive(lane: Lane, message: FromWorker): void {
    if (message.type === "ready") {
      lane.failures = 0;
      return;
    }
    if (message.type === "memory") {
      lane.memoryRequests.get(message.id)?.(message.memory);
      lane.memoryRequests.delete(message.id);
      return;
    }
    const jobs = lane.running.get(message.id) ?? [];
    lane.running.delete(message.id);
    for (const [i, job] of jobs.entries()) this.answer(lane, job, message.answers[i]);
    this.dispatchJobs(lane);
  }

  private answer(lane: Lane, job: Job, answer: DecodeAnswer): void {
    if (answer.type === "missing-parent") {
      job.complete = true;
      job.attempts -= 1;
      lane.queue.unshift(job);
    } else if (answer.type === "failed") {
      const { address, reason } = answer;
      job.reject(address ? new UndecodableError(address, reason) : new WorkerFailedError(reason));
    } else job.resolve(answer.type === "bitmap" ? answer.bitmap : answer.pixels);
  }

  private requestMemory(lane: Lane): Promise<WorkerMemory> {
    return new Promise((resolve) => {
      const id = this.nextId++;
      lane.memoryRequests.set(id, resolve);
      lane.worker.postMessage({ type: "memory", id });
    });
  }
}

function tileOf({ request: { chain } }: Job): Address {
  return chain[chain.length - 1].address;
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
function laneOf(tile: Address, lanes: number): number {
  const parent = parentOf(tile);
  return (parent.x + parent.y + parent.level + parent.z) % lanes;
}
