/** When the source of pictures fetches: for the field at once, though not too often while it moves; for what may come next when all else is done. */
import type { Address } from "../geometry/pyramid";
import type { PictureMaker, FieldRequest } from "./pictures";

/** While the view moves, new fields are fetched at most this often; milliseconds. */
const MOVING_INTERVAL = 90;
/** Milliseconds for which a finished view rests before what may come next is fetched. */
const AHEAD_AFTER = 150;

export class FetchScheduler {
  private field: FieldRequest = { tiles: [], layers: 1 };
  private lastFetch = -Infinity;
  private fetchTimer: ReturnType<typeof setTimeout> | null = null;
  private aheadTimer: ReturnType<typeof setTimeout> | null = null;
  /** The same field on other planes. */
  private next: readonly Address[] = [];
  /** What another participant looks at, or will. */
  private hinted: readonly Address[] = [];

  constructor(private readonly source: PictureMaker) {}

  /** The field now; while it moves, the last one named is fetched when the interval has passed. */
  setField(field: FieldRequest, moving: boolean): void {
    this.field = field;
    const wait = moving ? this.lastFetch + MOVING_INTERVAL - performance.now() : 0;
    if (wait <= 0) return this.fetch();
    this.fetchTimer ??= setTimeout(() => {
      this.fetchTimer = null;
      this.fetch();
    }, wait);
  }

  /** Tiles that may be looked at next for reasons from outside. */
  prefetchHint(tiles: readonly Address[]): void {
    this.hinted = tiles;
    this.source.prefetch(this.aheadTimer === null ? tiles : [...tiles, ...this.next]);
  }

  /** The view shows another field; `next` may come after it. */
  moved(next: readonly Address[]): void {
    this.next = next;
    if (this.aheadTimer === null) return;
    clearTimeout(this.aheadTimer);
    this.aheadTimer = null;
    this.source.prefetch(this.hinted);
  }

  /** All of the field is drawn at its best. */
  viewFinished(): void {
    const ahead = [...this.hinted, ...this.next];
    if (ahead.length > 0) this.aheadTimer ??= setTimeout(() => this.source.prefetch(ahead), AHEAD_AFTER);
  }

  close(): void {
    for (const timer of [this.fetchTimer, this.aheadTimer]) if (timer !== null) clearTimeout(timer);
  }

  private fetch(): void {
    this.lastFetch = performance.now();
    this.source.fetch(this.field);
  }
}
