/** Cases as they lie in collections: pure. */
import type { CaseSummary } from "@wavescope/core/wire/catalog/casesClient";

type Placed = Pick<CaseSummary, "id" | "parent">;

export interface TreeRow<Case> {
  readonly case: Case;
  /** Of the collections around it. */
  readonly depth: number;
  /** Whether anything lies in it. */
  readonly inner: boolean;
}

/** The rows of a list, each below what it lies in; what lies in a collection that is not open has none. */
export function rowsOf<Case extends Placed>(
  cases: readonly Case[],
  isOpen: (id: string) => boolean,
  parent = "",
  depth = 0,
): readonly TreeRow<Case>[] {
  return insideOf(cases, parent).flatMap((one) => {
    const inner = insideOf(cases, one.id).length > 0;
    return [{ case: one, depth, inner }, ...(inner && isOpen(one.id) ? rowsOf(cases, isOpen, one.id, depth + 1) : [])];
  });
}

export const insideOf = <Case extends Placed>(cases: readonly Case[], parent: string): readonly Case[] =>
  cases.filter((one) => (one.parent ?? "") === parent);

/** From the outermost collection to the case itself; empty where the case is not among them. */
export function pathTo<Case extends Placed>(cases: readonly Case[], id: string): readonly Case[] {
  const path: Case[] = [];
  for (let next: string | undefined = id; next; ) {
    const one = cases.find((other) => other.id === next);
    if (!one || path.includes(one)) break;
    path.unshift(one);
    next = one.parent;
  }
  return path;
}

/** Whether a case can be moved there; "": out of all collections. The service refuses what is too deep or shared too widely. */
export function mayMove(cases: readonly CaseSummary[], id: string, parent: string): boolean {
  const [moved, target] = [id, parent].map((wanted) => cases.find((one) => one.id === wanted));
  if (!moved || (moved.parent ?? "") === parent) return false;
  return parent === "" || (target?.kind === "collection" && !pathTo(cases, parent).includes(moved));
}
