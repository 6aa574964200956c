import { describe, expect, it } from "vitest";
import { OVER_READ, type Part, planReads } from "./reads";

const part = (from: number, to: number, path = "a"): Part => ({ path, from, to });
const ranges = (parts: readonly Part[]): string[] =>
  planReads(parts).map(({ path, from, to, parts: all }) => `${path} ${from}-${to} of ${all.join(",")}`);

describe("planReads", () => {
  it("reads parts that follow each other together, in one file only (SH6)", () => {
    expect(ranges([part(10, 20), part(0, 10), part(20, 30, "b")])).toEqual(["a 0-20 of 1,0", "b 20-30 of 2"]);
  });

  it("reads parts once that are wanted twice or overlap (SH6)", () => {
    expect(ranges([part(0, 10), part(0, 10), part(5, 12)])).toEqual(["a 0-12 of 0,1,2"]);
  });

  it("reads the smallest gaps along, as far as the bound allows (SH6)", () => {
    const found = ranges([part(0, 1000), part(1100, 2000), part(2250, 3000)]); // wanted 2650, allowed 397
    expect(found).toEqual(["a 0-3000 of 0,1,2"]);
    expect(ranges([part(0, 1000), part(1100, 2000), part(2350, 3000)])).toEqual([
      "a 0-2000 of 0,1",
      "a 2350-3000 of 2",
    ]);
  });

  it("leaves out a gap that is longer than a request costs (SH6)", () => {
    expect(ranges([part(0, 400_000), part(450_000, 800_000)])).toHaveLength(2);
  });

  it("cuts long rows of parts, so that pictures do not wait for all of them", () => {
    const row = Array.from({ length: 30 }, (_, i) => part(100_000 * i, 100_000 * (i + 1)));
    const reads = planReads(row);
    expect(reads.map(({ from, to }) => to - from)).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });

  it("covers every part, and reads at most the bound beside them, for any parts (SH6)", () => {
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 300; round += 1) {
      const parts = Array.from({ length: 1 + random(60) }, () => {
        const from = random(200_000);
        return part(from, from + 1 + random(20_000), `f${random(3)}`);
      });
      const reads = planReads(parts);
      const covered = reads.flatMap((read) =>
        read.parts.filter(
          (i) => parts[i]!.path === read.path && read.from <= parts[i]!.from && parts[i]!.to <= read.to,
        ),
      );
      expect(covered.sort((a, b) => a - b)).toEqual(parts.map((_, i) => i));
      const wanted = unionOf(parts);
      const read = reads.reduce((sum, { from, to }) => sum + to - from, 0);
      expect(read).toBeLessThanOrEqual(wanted * (1 + OVER_READ));
    }
  });
});

/** Bytes that are in at least one of the parts. */
function unionOf(parts: readonly Part[]): number {
  const end = new Map<string, number>();
  let sum = 0;
  for (const { path, from, to } of [...parts].sort((a, b) => a.from - b.from)) {
    const before = end.get(path) ?? 0;
    sum += Math.max(0, to - Math.max(from, before));
    end.set(path, Math.max(before, to));
  }
  return sum;
}
