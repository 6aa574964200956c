/** A map with a budget in bytes: what was used least recently goes first. The newest entry always stays. */
export class ByteLru<V> {
  private readonly entries = new Map<string, { value: V; bytes: number }>();
  private held = 0;

  constructor(
    private budget: number,
    private readonly onEvict: (key: string, value: V) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.held;
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
    this.held += bytes;
    this.shrink();
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.held -= entry.bytes;
  }

  clear(): void {
    this.entries.clear();
    this.held = 0;
  }

  setBudget(budget: number): void {
    this.budget = budget;
    this.shrink();
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.held <= this.budget || this.entries.size <= 1) return;
      this.delete(key);
      this.onEvict(key, entry.value);
    }
  }
}
