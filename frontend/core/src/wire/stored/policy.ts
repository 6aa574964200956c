/** What the browser stores of slides: how much, how long, and what goes first (shared/spec/page.md, section 3). Pure. */

/** One stored answer. */
export interface StoredEntry {
  readonly key: string;
  readonly bytes: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly used: number;
}

const MB = 1 << 20;

/** Bytes that the user can choose from; 0: nothing is stored. */
export const BUDGETS: readonly number[] = [0, 128 * MB, 512 * MB, 2048 * MB];
export const DEFAULT_BUDGET = 512 * MB;
/** Part of what the browser grants this site; the page itself is in the rest. */
const SHARE = 0.5;
/** Eviction goes down to this part of the budget, so that it is not needed with every write. */
const AFTER_EVICTION = 0.9;
/** Milliseconds for which a slide may be shown without the service after it was last opened with it. */
export const OFFLINE_FOR = 24 * 3600 * 1000;
/** Milliseconds by which the time of the last use may be wrong: a time is not written with each read. */
export const USE_STEP = 3600 * 1000;

/** Bytes that may be stored: what the user chose, or less where the browser has little. */
export function allowedBytes(chosen: number, quota: number | undefined): number {
  return Math.min(chosen, quota === undefined ? chosen : Math.floor(quota * SHARE));
}

/** The entries to delete of `oldest` (least recently used first), so that `total` bytes come within the budget again. */
export function evicted(oldest: readonly StoredEntry[], total: number, budget: number): StoredEntry[] {
  if (total <= budget) return [];
  let left = total;
  const cut = oldest.findIndex((entry) => {
    if (left <= budget * AFTER_EVICTION) return true;
    left -= entry.bytes;
    return false;
  });
  return oldest.slice(0, cut < 0 ? oldest.length : cut);
}

/** Whether a slide that the service let the user open at `checked` may be shown without it. */
export function mayShowOffline(checked: number, now: number): boolean {
  return now >= checked && now - checked <= OFFLINE_FOR;
}

/** Whose answers are stored: each account has a store of its own. Null: nobody's, nothing is stored. */
export function principalOf(account: {
  readonly mode: "local" | "accounts";
  readonly user: { readonly id: string } | null;
}): string | null {
  if (account.mode === "local") return "local";
  return account.user && `user-${account.user.id}`;
}
