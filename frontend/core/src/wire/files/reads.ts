/** Which ranges are read for many parts of files: neighbours together, little more than what is wanted (SH6). Pure. */

/** Bytes [from, to) of a file. */
export interface Part {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export interface Read extends Part {
  /** Indexes of the parts that lie in it. */
  readonly parts: readonly number[];
}

/** Of the wanted bytes, how much may be read beside them. */
export const OVER_READ = 0.15;
/** A longer gap costs more than a request. */
const LONGEST_GAP = 32 << 10;
/** Pictures wait for the end of a read. */
const LONGEST_READ = 1 << 20;

/**
 * Few reads that cover all parts. Parts that follow each other, or overlap, are read together; then those with the smallest gaps between
 * them, as long as all gaps together are at most OVER_READ of the wanted bytes. In the order of their first parts.
 */
export function planReads(parts: readonly Part[]): Read[] {
  const order = parts.map((_, i) => i).sort((a, b) => compare(parts[a]!, parts[b]!));
  const groups = joined(
    order.map((i) => ({ ...parts[i]!, parts: [i] })),
    (gap) => gap <= 0,
  );
  const wanted = groups.reduce((sum, { from, to }) => sum + to - from, 0);
  const gaps = groups.slice(1).flatMap((group, i) => {
    const gap = group.path === groups[i]!.path ? group.from - groups[i]!.to : Infinity;
    return gap <= LONGEST_GAP ? [gap] : [];
  });
  let left = OVER_READ * wanted;
  let widest = 0; // up to this width gaps are read along
  let allowed = 0; // so many of exactly this width
  for (const gap of gaps.sort((a, b) => a - b)) {
    left -= gap;
    if (left < 0) break;
    allowed = gap === widest ? allowed + 1 : 1;
    widest = gap;
  }
  const spend = (gap: number): boolean => gap < widest || (gap === widest && (allowed -= 1) >= 0);
  return joined(groups, (gap) => gap <= 0 || spend(gap)).sort((a, b) => Math.min(...a.parts) - Math.min(...b.parts));
}

const compare = (a: Part, b: Part): number => (a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1);

/** Joins each read with the one before where `fits` says so of the gap between them. `reads` are in order. */
function joined(reads: readonly Read[], fits: (gap: number) => boolean): Read[] {
  const found: Read[] = [];
  for (const read of reads) {
    const last = found.at(-1);
    const gap = last?.path === read.path ? read.from - last.to : Infinity;
    const overlaps = gap < 0;
    if (last && gap !== Infinity && (overlaps || read.to - last.from <= LONGEST_READ) && fits(gap)) {
      found[found.length - 1] = { ...last, to: Math.max(last.to, read.to), parts: [...last.parts, ...read.parts] };
    } else found.push(read);
  }
  return found;
}
