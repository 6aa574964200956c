/** Waiting longer after each failure in a row, until the service answers again. */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

export class Recovery {
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly again: () => void,
    private readonly onChange: (offline: boolean) => void,
  ) {}

  get waiting(): boolean {
    return this.timer !== null;
  }

  /** Something failed that may work later. */
  failed(offline: boolean): void {
    if (this.timer) return;
    const wait = Math.min(FIRST_WAIT * 2 ** this.failures, LONGEST_WAIT);
    this.failures += 1;
    if (offline) this.onChange(true);
    this.timer = setTimeout(() => this.retryNow(), wait);
  }

  succeeded(): void {
    if (this.failures === 0) return;
    this.failures = 0;
    this.onChange(false);
  }

  /** The browser says the network is back, or the time has come. */
  retryNow(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.again();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
