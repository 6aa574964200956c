/** The figures of an experiment as lines of a plot and as labels. */
import { decimal } from "@wavescope/core/geometry/figures";
import { ownName } from "@wavescope/core/i18n/names";
import type { ExperimentResult, ExperimentRun, Level } from "@wavescope/core/wire/catalog/plannerClient";

export interface SeriesPoint {
  readonly at: Level;
  readonly mean: number;
  readonly half: number;
  /** The published figure, if there is one. */
  readonly published: number | null;
}

export interface Series {
  /** The levels of all factors but the one along the axis. */
  readonly name: string;
  readonly points: readonly SeriesPoint[];
}

/** All metrics of the runs so far. Those with published figures come first, among these and the others the responses. */
export function metricsOf({ runs }: ExperimentResult): string[] {
  const names = [...new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
  const rank = (name: string): number =>
    (runs.some(({ expected }) => name in expected) ? 0 : 2) + (name.startsWith("response") ? 0 : 1);
  return names.sort((one, other) => rank(one) - rank(other));
}

/** The factor of the horizontal axis: the one with most levels, the first of several. */
export function axisOf({ factors }: ExperimentResult): string | null {
  let found: string | null = null;
  for (const [name, levels] of Object.entries(factors))
    if (found === null || levels.length > factors[found]!.length) found = name;
  return found;
}

export const metricLabel = (name: string): string => ownName(name, name.replaceAll("_", " "));
export const levelLabel = (level: Level): string => (typeof level === "number" ? figureLabel(level) : ownName(level));

/** Four significant digits. */
export function figureLabel(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-3) return decimal(value.toPrecision(4).replace(/\.?0+(e|$)/, "$1"));
  return size >= 1e4 ? String(Math.round(value)) : decimal(Number(value.toPrecision(4)));
}

/** One line for each combination of the other factors' levels. Runs without figures are left out. */
export function seriesOf(result: ExperimentResult, metric: string): Series[] {
  const axis = axisOf(result);
  const found = new Map<string, SeriesPoint[]>();
  for (const run of result.runs) {
    const figure = run.metrics[metric];
    if (!figure) continue;
    const name = otherLevels(run, axis);
    const point = {
      at: axis === null ? "" : run.levels[axis]!,
      mean: figure.mean,
      half: figure.half ?? 0,
      published: run.expected[metric]?.value ?? null,
    };
    found.set(name, [...(found.get(name) ?? []), point]);
  }
  return [...found].map(([name, points]) => ({ name, points }));
}

function otherLevels({ levels }: ExperimentRun, axis: string | null): string {
  return Object.entries(levels)
    .filter(([name]) => name !== axis)
    .map(([name, level]) => `${metricLabel(name)} ${levelLabel(level)}`)
    .join(", ");
}

/** Places on the axis from 0 to 1: by value if all levels are numbers, else one after another. */
export function placesOf(levels: readonly Level[]): (at: Level) => number {
  const numbers = levels.filter((level): level is number => typeof level === "number");
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === levels.length && levels.length > 1) return (at) => (Number(at) - low) / (high - low);
  return (at) => (levels.indexOf(at) + 0.5) / Math.max(1, levels.length);
}
