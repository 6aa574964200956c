import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type PartName, percentile, predict } from "./response";
import { breaksFirst, cheapest, meets, obstacle, priceOf } from "./search";
import type { Equipment, Situation } from "./situation";

interface Case {
  readonly name: string;
  readonly situation: Situation;
  readonly equipment: Equipment;
  readonly mean: number;
  readonly throughput: number;
  readonly hits: readonly [number, number];
  readonly parts: readonly (readonly [PartName, number, number])[];
  readonly percentiles: Readonly<Record<string, number>>;
  readonly plan: KnownPlan;
  readonly plan95: KnownPlan;
}

interface KnownPlan {
  readonly goal: number;
  readonly goal95: number;
  readonly equipment: Equipment | null;
  readonly price: number;
  readonly good_for: number;
  readonly breaks: PartName;
}

const file = new URL("../../../../../shared/vectors/planning/predictions.json", import.meta.url);
const CASES = JSON.parse(readFileSync(file, "utf8")) as Case[];
const PRICES = { node: 120, node_gb: 0.1, edge: 60, edge_gb: 0.1 };

const near = (found: number, expected: number, relative = 1e-6): void =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(relative * Math.abs(expected) + 1e-9);

describe.each(CASES)("the planner's formulas: $name", (known) => {
  it("are those of the service (SI26)", () => {
    const found = predict(known.situation, known.equipment);
    near(found.mean, known.mean);
    near(found.throughput, known.throughput);
    near(found.hits.edge, known.hits[0]);
    near(found.hits.node, known.hits[1]);
    found.parts.forEach((part, at) => {
      expect(part.name).toBe(known.parts[at]![0]);
      near(part.utilisation, known.parts[at]![1]);
      near(part.seconds, known.parts[at]![2]);
    });
    for (const [percent, seconds] of Object.entries(known.percentiles))
      near(percentile(found, Number(percent)), seconds);
  });

  it.each(["plan", "plan95"] as const)("find the same %s (SI26)", (name) => {
    const expected = known[name];
    const goal = { meanSeconds: expected.goal, p95Seconds: expected.goal95, mostBusy: 0.8 };
    const plan = cheapest(known.situation, goal, PRICES);
    expect(plan).toEqual(expected.equipment);
    if (plan === null) {
      expect(obstacle(known.situation, goal).part).toBe(expected.breaks);
      return;
    }
    near(priceOf(known.situation, plan, PRICES), expected.price);
    expect(meets(goal, predict(known.situation, plan))).toBe(true);
    const limit = breaksFirst(known.situation, plan, goal);
    expect(limit).toEqual({ clients: expected.good_for, part: expected.breaks });
  });
});
