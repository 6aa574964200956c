/** Which objects lie where: an R-tree that takes changes one by one. */
import RBush from "rbush";
import { type Box, boxOf } from "@wavescope/core/geometry/shape";
import { distanceTo, isInside } from "@wavescope/core/geometry/outline";
import type { Content } from "@wavescope/core/wire/annotations/annotations";

interface Entry extends Box {
  readonly id: string;
  readonly content: Content;
}

const MANY = 500; // changes at once that are better loaded than inserted

export class SpatialIndex {
  private readonly tree = new RBush<Entry>();
  private readonly entries = new Map<string, Entry>();

  get size(): number {
    return this.entries.size;
  }

  /** What the objects are now; null: gone. */
  update(changes: Iterable<readonly [string, Content | null]>): void {
    const added: Entry[] = [];
    const removed: Entry[] = [];
    for (const [id, content] of changes) {
      const old = this.entries.get(id);
      if (old) removed.push(old);
      this.entries.delete(id);
      if (!content) continue;
      const entry = { id, content, ...boxOf(content.shape) };
      this.entries.set(id, entry);
      added.push(entry);
    }
    if (removed.length > MANY) return void this.tree.clear().load([...this.entries.values()]);
    for (const entry of removed) this.tree.remove(entry);
    if (added.length > MANY) this.tree.load(added);
    else for (const entry of added) this.tree.insert(entry);
  }

  get(id: string): Content | undefined {
    return this.entries.get(id)?.content;
  }

  /** In the order in which they came. */
  *all(): Generator<readonly [string, Content]> {
    for (const { id, content } of this.entries.values()) yield [id, content];
  }

  within(box: Box): readonly { readonly id: string; readonly content: Content }[] {
    return this.tree.search(box);
  }

  /** The object meant by a pointer: the nearest line or point within reach, else the smallest shape around it. */
  hit(x: number, y: number, reach: number, seen: (content: Content, id: string) => boolean): string | null {
    let nearest: string | null = null;
    let least = reach;
    let enclosing: string | null = null;
    let smallest = Infinity;
    for (const { id, content, minX, minY, maxX, maxY } of this.tree.search({
      minX: x - reach,
      minY: y - reach,
      maxX: x + reach,
      maxY: y + reach,
    })) {
      if (!seen(content, id)) continue;
      const distance = distanceTo(content.shape, x, y);
      if (distance <= least) [least, nearest] = [distance, id];
      const area = (maxX - minX) * (maxY - minY);
      if (area < smallest && isInside(content.shape, x, y)) [smallest, enclosing] = [area, id];
    }
    return nearest ?? enclosing;
  }
}
