import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExperimentList, ExperimentResult } from "@wavescope/core/wire/catalog/plannerClient";
import { openPage } from "../../fakePage";
import { rendered } from "../../rendered";
import { ExperimentResults } from "./ExperimentResults";
import { Experiments, ExperimentsPanel } from "./ExperimentsPanel";
import { axisOf, figureLabel, metricsOf, placesOf, seriesOf } from "./series";

beforeEach(() => void openPage("/planner"));
afterEach(() => void vi.unstubAllGlobals());

const figure = (mean: number, half: number | null = 0.5) => ({ mean, half, trials: 3 });
const RESULT: ExperimentResult = {
  title: "Tables 7 and 8",
  trials: 3,
  confidence: 0.9,
  factors: { hit_rate: ["none", 0.75], clients: [1, 8, 30] },
  runs: [
    { levels: { hit_rate: "none", clients: 1 }, metrics: { events: figure(9), response: figure(25) }, expected: {} },
    {
      levels: { hit_rate: "none", clients: 30 },
      metrics: { events: figure(9), response: figure(683, null) },
      expected: { response: { value: 700, half: 216, ratio: 0.976, within: true } },
    },
    { levels: { hit_rate: 0.75, clients: 1 }, metrics: { events: figure(9), response: figure(11) }, expected: {} },
    { levels: { hit_rate: 0.75, clients: 8 }, metrics: {}, expected: {} },
  ],
  effects: {
    response: [
      { factors: [], share: 0 },
      { factors: ["clients"], share: 0.68 },
      { factors: ["hit_rate", "clients"], share: 0.15 },
    ],
  },
};
const LIST: ExperimentList = {
  experiments: [
    { ...described("broken"), own: true, problem: "no TOML" },
    { ...described("ours"), own: true },
    described("report-1998-table-7"),
  ],
  max_trials: 100,
  max_runs: 200,
  max_text: 1000,
};

function described(name: string): ExperimentList["experiments"][number] {
  const factors = { hit_rate: [0.75, 0], clients: [1, 30] };
  const more = { title: `Title of ${name}`, description: `About ${name}`, model: "report-1998", trials: 100, runs: 4 };
  return { name, own: false, factors, problem: null, ...more };
}

describe("an experiment's figures", () => {
  it("are lines over the factor with most levels, one for each combination of the others (SI29)", () => {
    expect(axisOf(RESULT)).toBe("clients");
    expect(seriesOf(RESULT, "response").map(({ name, points }) => [name, points.map(({ at }) => at)])).toEqual([
      ["hit rate none", [1, 30]],
      ["hit rate 0.75", [1]],
    ]);
    expect(metricsOf(RESULT)).toEqual(["response", "events"]);
  });

  it("lie by value on an axis of numbers, else side by side", () => {
    expect([1, 8, 30].map(placesOf([1, 8, 30]))).toEqual([0, 7 / 29, 1]);
    expect(["none", 0.5].map(placesOf(["none", 0.5]))).toEqual([0.25, 0.75]);
    expect(placesOf([4])(4)).toBe(0.5);
  });

  it("have four digits", () => {
    expect([0, 0.2283, 11.2833, 683.71, 49_012_345, 0.00001234].map(figureLabel)).toEqual([
      "0",
      "0.2283",
      "11.28",
      "683.7",
      "4.901e+7",
      "0.00001234",
    ]);
  });

  it("are shown as a plot and a table beside the published ones, with the effects (SI29)", () => {
    const html = rendered(<ExperimentResults result={RESULT} finished={9} trials={12} />);
    expect(html).toContain("9 of 12 trials");
    expect(html.match(/data-testid="series"/g)).toHaveLength(2);
    expect(html.match(/data-testid="published"/g)).toHaveLength(2); // the point and its legend
    expect(html).toContain("25 ± 0.5");
    expect(html).toContain("700 ± 220");
    expect(html).toContain("0.98 ✓");
    expect(html).toContain("68%");
  });
});

describe("the experiments of the planner", () => {
  it("can be chosen and are described; one that cannot be read is not the first (SI29)", () => {
    const html = rendered(<Experiments list={LIST} />);
    expect(html).toContain("About ours");
    expect(html).toContain("clients: 1, 30");
    expect(html).toContain("4 runs");
    expect(html).toContain("Run");
  });

  it("say why they cannot run (SI29)", () => {
    expect(rendered(<ExperimentsPanel possible={false} />)).toContain("wavescope[simulate]");
  });
});
