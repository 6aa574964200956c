/** Lets the newest of each kind through, at most one a while: views and cursors are last-write-wins. */
export interface ThrottleClock {
  now(): number;
  set(work: () => void, milliseconds: number): number;
  clear(timer: number): void;
}

export class Throttle<T> {
  private readonly waiting = new Map<string, T>();
  private last = -Infinity;
  private timer: number | null = null;

  constructor(
    private readonly clock: ThrottleClock,
    private readonly interval: () => number,
    private readonly send: (value: T) => void,
  ) {}

  /** Sends at once if nothing was sent within the interval, else at its end, unless a newer message replaces it. */
  put(kind: string, value: T): void {
    this.waiting.set(kind, value);
    if (this.timer !== null) return;
    const wait = this.last + this.interval() - this.clock.now();
    if (wait <= 0) this.flush();
    else this.timer = this.clock.set(() => this.flush(), wait);
  }

  close(): void {
    if (this.timer !== null) this.clock.clear(this.timer);
    this.timer = null;
    this.waiting.clear();
  }

  private flush(): void {
    this.timer = null;
    this.last = this.clock.now();
    const values = [...this.waiting.values()];
    this.waiting.clear();
    for (const value of values) this.send(value);
  }
}
