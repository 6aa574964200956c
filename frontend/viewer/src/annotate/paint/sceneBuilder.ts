/** Keeps the chunks in step with the objects: small changes lie in a chunk of their own until everything is built anew, in slices. */
import { type Chunk, type Drawable, buildChunks } from "./scene";
import type { Painter } from "./painter";

const SLICE = 4; // milliseconds of building between two frames
const MAX_FRESH = 1000; // changed objects before everything is built anew

export class SceneBuilder {
  private base: Chunk[] = [];
  private fresh: Chunk[] = [];
  private readonly changed = new Set<string>();
  private readonly hidden = new Set<string>();
  private building: Generator<void, Chunk[]> | null = null;
  private again = false;
  private frame: number | null = null;

  constructor(
    private readonly painter: Painter,
    /** What is drawn now. */
    private readonly all: () => Iterable<Drawable>,
    /** Null: not drawn. */
    private readonly drawableOf: (id: string) => Drawable | null,
    private readonly redraw: () => void,
  ) {}

  get chunks(): readonly Chunk[] {
    return [...this.base, ...this.fresh];
  }

  /** Whether everything is in its final chunks. */
  get settled(): boolean {
    return this.building === null;
  }

  change(ids: readonly string[]): void {
    for (const id of ids) this.changed.add(id);
    if (this.changed.size > MAX_FRESH) return this.rebuild();
    for (const id of ids) this.erase(id);
    this.refresh();
  }

  /** Leaves these out, because they are drawn otherwise, by hand. */
  hide(ids: readonly string[]): void {
    const before = [...this.hidden];
    if (before.length === ids.length && ids.every((id) => this.hidden.has(id))) return;
    this.hidden.clear();
    for (const id of ids) this.hidden.add(id);
    this.change([...new Set([...before, ...ids])]);
  }

  /** Builds everything anew; what is being built is finished first, so that something is seen while objects still come. */
  rebuild(): void {
    this.again = this.building !== null;
    if (this.building) return;
    this.changed.clear();
    this.building = buildChunks(this.all());
    this.frame ??= requestAnimationFrame(() => this.build());
  }

  close(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
  }

  private build(): void {
    this.frame = null;
    const end = performance.now() + SLICE;
    for (let step = this.building?.next(); step && this.building; step = this.building.next()) {
      if (step.done) {
        this.swap(step.value);
        break;
      }
      if (performance.now() > end) break;
    }
    if (this.building) this.frame = requestAnimationFrame(() => this.build());
  }

  private swap(chunks: Chunk[]): void {
    this.building = null;
    for (const chunk of this.base) this.painter.forget(chunk);
    this.base = chunks;
    if (this.again) {
      this.again = false;
      this.redraw();
      return this.rebuild();
    }
    for (const id of this.hidden) this.changed.add(id);
    for (const id of this.changed) this.erase(id);
    this.refresh();
  }

  private erase(id: string): void {
    for (const chunk of this.base) if (chunk.spans.has(id)) this.painter.erase(chunk, id);
  }

  private refresh(): void {
    for (const chunk of this.fresh) this.painter.forget(chunk);
    const drawables = [...this.changed].flatMap((id) => (this.hidden.has(id) ? [] : (this.drawableOf(id) ?? [])));
    const build = buildChunks(drawables);
    let step = build.next();
    while (!step.done) step = build.next();
    this.fresh = step.value;
    this.redraw();
  }
}
