/** Measurements of users who may view a slide and not annotate it: they exist in the page only (annotations.md, AN23). */
import type { Kind } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";

/** Kinds that measure. */
export const MEASURING: readonly Kind[] = ["line", "angle", "polygon"];

export class LocalObjects {
  private readonly objects = new Map<string, Content | null>();

  /** How many there are. */
  get size(): number {
    return [...this.objects.values()].filter((content) => content !== null).length;
  }

  /** From now on this object is local, deleted or not, and never sent. */
  adopt(id: string): void {
    this.objects.set(id, null);
  }

  has(id: string): boolean {
    return this.objects.has(id);
  }

  shown(id: string): Content | null {
    return this.objects.get(id) ?? null;
  }

  edit(id: string, content: Content | null): void {
    this.objects.set(id, content);
  }
}
