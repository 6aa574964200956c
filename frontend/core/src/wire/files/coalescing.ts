/** Reads parts of files: what is requested in the same task goes out together, in few ranges (SH6). */
import { CorruptError, isAbort } from "../http/errors";
import type { Traffic } from "../slides/slideClient";
import type { SlideFolder } from "./folder";
import { type Part, type Read, planReads } from "./reads";

/** Reads that are underway at one time: as many as browsers allow over HTTP/1.1. */
const PARALLEL = 6;
/** No honest part comes near this: an index that claims more is damaged. */
const MOST_PART = 64 << 20;

interface Waiting extends Part {
  readonly signal?: AbortSignal;
  done(bytes: Uint8Array): void;
  readonly failed: (error: unknown) => void;
}

interface Started extends Read {
  readonly waiting: readonly Waiting[];
}

export class CoalescingReader {
  private gathered: Waiting[] = [];
  private queue: Started[] = [];
  private running = 0;
  private readonly closing = new AbortController();

  constructor(
    private readonly folder: SlideFolder,
    private readonly traffic: Traffic,
    /** Calls once the requests of this task are made. */
    private readonly later: (work: () => void) => void = (work) => void setTimeout(work),
  ) {}

  /** A copy of bytes [from, to) of a file. Throws as SlideFolder.read. */
  read(path: string, from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (to - from > MOST_PART) return Promise.reject(new CorruptError(`${path}: a part of ${to - from} bytes`));
    return new Promise((done, failed) => {
      if (this.gathered.length === 0) this.later(() => this.flush());
      this.gathered.push({ path, from, to, signal, done, failed });
    });
  }

  /** Aborts all reads. */
  close(): void {
    this.closing.abort();
  }

  private flush(): void {
    const waiting = this.gathered.filter((one) => !dropped(one));
    this.gathered = [];
    this.queue.push(...planReads(waiting).map((read) => ({ ...read, waiting: read.parts.map((i) => waiting[i]!) })));
    this.start();
  }

  private start(): void {
    while (this.running < PARALLEL && this.queue.length > 0) {
      const next = this.queue.shift()!;
      const waiting = next.waiting.filter((one) => !dropped(one));
      if (waiting.length === 0) continue;
      this.running += 1;
      void this.execute({ ...next, waiting }).finally(() => {
        this.running -= 1;
        this.start();
      });
    }
  }

  private async execute({ path, from, to, waiting }: Started): Promise<void> {
    const control = new AbortController();
    const check = (): void => {
      if (this.closing.signal.aborted || waiting.every(({ signal }) => signal?.aborted)) control.abort();
    };
    const signals = [this.closing.signal, ...waiting.flatMap(({ signal }) => signal ?? [])];
    for (const signal of signals) signal.addEventListener("abort", check, { once: true });
    check();
    this.traffic.requested(`${this.folder.name}${path}#${from}-${to}`);
    try {
      const bytes = await this.folder.read(path, from, to, control.signal);
      this.traffic.received(bytes.length);
      if (bytes.length !== to - from) throw new CorruptError(`${path}: ${bytes.length} bytes instead of ${to - from}`);
      for (const one of waiting) if (!dropped(one)) one.done(bytes.slice(one.from - from, one.to - from));
    } catch (error) {
      const together = error instanceof CorruptError && waiting.length > 1;
      for (const one of waiting) {
        if (dropped(one)) continue;
        if (together)
          this.queue.unshift({ ...one, parts: [], waiting: [one] }); // what is damaged is one of them (ST33)
        else one.failed(isAbort(error) ? aborted() : error);
      }
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", check);
    }
  }
}

/** Whether its caller waits no longer; then it fails as aborted. */
function dropped({ signal, failed }: Waiting): boolean {
  if (!signal?.aborted) return false;
  failed(aborted());
  return true;
}

const aborted = (): DOMException => new DOMException("aborted", "AbortError");
