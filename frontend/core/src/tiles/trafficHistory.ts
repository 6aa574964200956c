/** What happened in each of the last seconds: bytes that came, tiles that came into view and how many of them were cached. */

export interface Second {
  readonly bytes: number;
  /** Tiles that came into the field of view. */
  readonly entered: number;
  /** Those of them whose data was here already: nothing had to be fetched for their first picture. */
  readonly cached: number;
}

const NOTHING: Second = { bytes: 0, entered: 0, cached: 0 };

export class History {
  private readonly seconds: Second[];
  private last = 0;

  constructor(private readonly length: number) {
    this.seconds = Array.from({ length }, () => NOTHING);
  }

  /** Adds to the second that `now` (milliseconds of a clock that only goes forward) lies in. */
  add(now: number, part: Partial<Second>): void {
    const at = this.advance(now);
    const { bytes, entered, cached } = this.seconds[at]!;
    this.seconds[at] = {
      bytes: bytes + (part.bytes ?? 0),
      entered: entered + (part.entered ?? 0),
      cached: cached + (part.cached ?? 0),
    };
  }

  /** The last seconds up to `now`, oldest first; quiet ones are zeros. */
  read(now: number): Second[] {
    const at = this.advance(now);
    return [...this.seconds.slice(at + 1), ...this.seconds.slice(0, at + 1)];
  }

  /** Clears the seconds without traffic; returns the index of the current one. */
  private advance(now: number): number {
    const second = Math.max(this.last, Math.floor(now / 1000));
    const passed = Math.min(this.length, second - this.last);
    for (let i = 1; i <= passed; i++) this.seconds[(second - passed + i) % this.length] = NOTHING;
    this.last = second;
    return second % this.length;
  }
}
