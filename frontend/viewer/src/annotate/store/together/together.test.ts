/** Convergence with partitions: nothing lost, every undo right (annotations.md, AN12, AN45, AN51). */
import { describe, expect, it } from "vitest";
import { type Tally, Together } from "./testing";

const LONG = process.env.WAVESCOPE_LONG === "1";

/** That each thing was tried, at least so often. */
function expectTried(tallies: readonly Tally[], least: number): void {
  for (const what of Object.keys(tallies[0]!) as (keyof Tally)[])
    expect(
      tallies.reduce((sum, tally) => sum + tally[what], 0),
      what,
    ).toBeGreaterThanOrEqual(least);
}

describe("AN51: editors whose links fail", () => {
  it("end with the same, nothing lost, every undo right", async () => {
    const tallies: Tally[] = [];
    for (let seed = 1; seed <= 6; seed += 1) {
      const together = new Together(seed, 5);
      await together.run(1200);
      tallies.push(together.tally);
    }
    expectTried(tallies, 5);
  });

  it.runIf(LONG)(
    "do so with 20 editors and 100,000 operations",
    async () => {
      const together = new Together(31, 20);
      await together.run(100_000);
      console.info(JSON.stringify(together.tally));
      expectTried([together.tally], 20);
    },
    1_200_000,
  );
});
