import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { predict } from "./formulas/response";
import { breaksFirst, cheapest, meets, obstacle } from "./formulas/search";
import type { Equipment, Situation } from "./formulas/situation";
import type { PlannerNumbers } from "@wavescope/core/wire/catalog/plannerClient";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { Bars } from "./Bars";
import { curveOf, simulatedValues, valuesOf } from "./curves";
import { GROUPS, rejectionOf } from "./fields";
import { logTicks, percentLabel, priceLabel, secondsLabel, ticks } from "./figures";
import { CheapestPlan, Outcome } from "./Outcome";
import { Planner, firstSettings } from "./PlannerPage";

beforeEach(() => void openPage("/planner"));
afterEach(() => void vi.unstubAllGlobals());

interface Case {
  readonly situation: Situation;
  readonly equipment: Equipment;
}
const vectors = new URL("../../../../shared/vectors/planning/predictions.json", import.meta.url);
const [known] = JSON.parse(readFileSync(vectors, "utf8")) as Case[];

const numbered = (values: object): PlannerNumbers["situation"] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { default: Number(value), least: 0, greatest: 1e9, meaning: name, integer: false },
    ]),
  );
const NUMBERS: PlannerNumbers = {
  situation: numbered(known!.situation),
  equipment: numbered(known!.equipment),
  goal: numbered({ mean_seconds: 0.25, p95_seconds: 0, most_busy: 0.8 }),
  prices: { node: 120, node_gb: 0.1, edge: 60, edge_gb: 0.1 },
  simulation: true,
  max_clients: 200_000,
  max_requests: 20_000_000,
};
const SETTINGS = firstSettings(NUMBERS);

describe("the planner's page", () => {
  it("shows the effect of the numbers at once (SI26)", () => {
    const html = rendered(<Planner numbers={NUMBERS} />);
    expect(html).toContain("Mean response time: 63\u202fms");
    expect(html).toContain("Meets the goal");
    expect(html).toContain('data-testid="curve-mean"');
    expect(html).toContain("Simulate");
  });

  it("says what breaks first, and that a goal is missed (SI23)", () => {
    const given = { ...SETTINGS.given, clients: 900 };
    const goal = { meanSeconds: 0.25, p95Seconds: 0, mostBusy: 0.8 };
    const limit = breaksFirst(given, SETTINGS.bought, goal);
    const html = rendered(
      <Outcome settings={{ ...SETTINGS, given }} found={predict(given, SETTINGS.bought)} met={false} limit={limit} />,
    );
    expect(html).toContain("Misses the goal");
    expect(html).toContain("First bottleneck: the link of the site");
  });

  it("says what stands in the way of a goal (SI22)", () => {
    const busy = { plan: null, obstacle: { part: "link", busy: 0.99, seconds: 1, within: null } } as const;
    const slow = { plan: null, obstacle: { part: "link", busy: null, seconds: 0.9, within: null } } as const;
    const late = { plan: null, obstacle: { part: "link", busy: null, seconds: 0.9, within: 0.8 } } as const;
    const html = (cheapest: typeof busy | typeof slow | typeof late): string =>
      rendered(<CheapestPlan settings={SETTINGS} cheapest={cheapest} onApply={() => undefined} />);
    expect(html(busy)).toContain("busy 99% of the time");
    expect(html(slow)).toContain("takes 900\u202fms of each response, however many servers there are");
    expect(html(late)).toContain("80% of responses come in time");
  });

  it("has a goal for 95 % of the answers besides the mean, and draws it (SI22)", () => {
    const goal = { meanSeconds: 60, p95Seconds: 0.001, mostBusy: 1 };
    const found = predict(SETTINGS.given, SETTINGS.bought);
    expect(meets(goal, found)).toBe(false);
    expect(meets({ ...goal, p95Seconds: 60 }, found)).toBe(true);
    expect(obstacle(SETTINGS.given, goal).within).toBe(0);
    expect(cheapest(SETTINGS.given, { ...goal, p95Seconds: 60 }, SETTINGS.prices)).not.toBeNull();
    const goals = { ...NUMBERS.goal, p95_seconds: { ...NUMBERS.goal.p95_seconds!, default: 0.002 } };
    const html = rendered(<Planner numbers={{ ...NUMBERS, goal: goals }} />);
    expect(html).toContain("Misses the goal");
    expect(html).toContain("goal for the 95th percentile");
  });

  it("marks a part that is busier than wanted, and leaves out what nobody uses", () => {
    const parts = [
      { name: "edge", utilisation: 0, seconds: 0 },
      { name: "link", utilisation: 0.9, seconds: 1 },
    ] as const;
    const html = rendered(<Bars parts={parts} most={0.8} />);
    expect(html).toContain("data-over");
    expect(html).toContain("90%");
    expect(html).not.toContain(">Edge cache<");
  });

  it("says that a service without the packages cannot simulate (SI25)", () => {
    expect(rendered(<Planner numbers={{ ...NUMBERS, simulation: false }} />)).toContain("wavescope[simulate]");
  });

  it("has a field for every number, and each changes its own", () => {
    for (const field of GROUPS.flatMap(({ fields }) => fields)) {
      const changed = field.set(SETTINGS, 7.5);
      expect(field.get(changed)).toBe(7.5);
      expect(field.get(SETTINGS)).not.toBe(7.5);
    }
  });
});

describe("a field of the planner", () => {
  const fields = GROUPS.flatMap((group) => group.fields);
  const field = (label: string) => fields.find((one) => one.label === label)!;
  const bounded = { least: 1, greatest: 1_000_000, default: 40, meaning: "", integer: true };
  const numbers = {
    ...NUMBERS,
    situation: { ...NUMBERS.situation, clients: bounded, away: { ...bounded, least: 0, greatest: 1 } },
  };

  it.each<[string, number | string, string | null]>([
    ["planner.clients", 40, null],
    ["planner.clients", 0, "A whole number from 1 to 1,000,000."],
    ["planner.clients", 2.5, "A whole number from 1 to 1,000,000."],
    ["planner.clients", 2_000_000, "A whole number from 1 to 1,000,000."],
    ["planner.clients", "", "A whole number from 1 to 1,000,000."],
    ["planner.clients", "-", "A whole number from 1 to 1,000,000."],
    ["planner.awayShare", 100, null],
    ["planner.awayShare", 101, "A number from 0 to 100."],
  ])("says of %s what is wrong with %j (SI26)", (label, typed, refusal) => {
    expect(rejectionOf(field(label), typed, numbers)).toBe(refusal);
  });

  it("has prices with their currency", () => {
    expect(priceLabel(1234.4, "EUR")).toBe("€1,234");
    const html = rendered(<Planner numbers={NUMBERS} />);
    expect(html).toContain("Price per month: €");
    expect(html).toContain("A server, per month, EUR");
  });
});

describe("curves of the planner", () => {
  it("pass through what is set now, and rise with the clients (SI23)", () => {
    for (const over of ["clients", "nodes", "edge_gb"] as const) {
      const values = valuesOf(over, SETTINGS.given, SETTINGS.bought, 300);
      expect(values).toContain(over === "clients" ? 40 : SETTINGS.bought[over]);
      expect(new Set(values).size).toBe(values.length);
    }
    const means = curveOf("clients", [10, 100, 300], SETTINGS.given, SETTINGS.bought).map(({ mean }) => mean);
    expect(means).toEqual([...means].sort((one, other) => one - other));
  });

  it("are simulated at few points, none beyond what the service allows (SI25)", () => {
    const values = Array.from({ length: 60 }, (_, i) => (i + 1) * 10);
    const found = simulatedValues(values, 37, 400);
    expect(found.length).toBeLessThanOrEqual(12);
    expect(found).toContain(37);
    expect(found.at(-1)).toBeLessThanOrEqual(400);
    expect(simulatedValues([500], 500, 400)).toEqual([]);
  });
});

describe("figures of the planner", () => {
  it("are short and round", () => {
    expect([0.0042, 0.25, 1.234, 12.34].map(secondsLabel)).toEqual([
      "4.2\u202fms",
      "250\u202fms",
      "1.23\u202fs",
      "12.3\u202fs",
    ]);
    expect([0, 0.001, 0.5].map(percentLabel)).toEqual(["0%", "< 1%", "50%"]);
    expect(ticks(0.6)).toEqual([0, 0.2, 0.4, 0.6]);
    expect(logTicks(3, 200)).toEqual([5, 10, 20, 50, 100, 200]);
  });
});
