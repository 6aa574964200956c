/**
 * A map with a budget in bytes (a function: it changes): what was used least recently is evicted first. The newest entry always stays.
 * `dropped` is called with each value that is replaced, evicted or deleted.
 */
export class ByteLru<V> {
  private readonly entries = new Map<string, { value: V; bytes: number }>();
  private total = 0;

  constructor(
    private readonly budget: number | (() => number),
    private readonly dropped?: (value: V) => void,
  ) {}

  get bytes(): number {
    return this.total;
  }

  get size(): number {
    return this.entries.size;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Looks without counting it as use. */
  peek(key: string): V | undefined {
    return this.entries.get(key)?.value;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    this.entries.set(key, { value, bytes });
    this.total += bytes;
    this.shrink();
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.total -= entry.bytes;
    this.dropped?.(entry.value);
  }

  private shrink(): void {
    const budget = typeof this.budget === "number" ? this.budget : this.budget();
    for (const key of this.entries.keys()) {
      if (this.total <= budget || this.entries.size <= 1) return;
      this.delete(key);
    }
  }
}
