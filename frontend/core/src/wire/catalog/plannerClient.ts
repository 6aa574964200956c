/** The capacity planner: its numbers, and simulations of a plan (simulator.md, SI25). */
import type * as Wire from "../generated/types";
import { API, call } from "../http/api";
import { ContractError, OfflineError, isAbort } from "../http/errors";
import { type Fetch, request } from "../http/http";
import type { Fixed } from "../http/json";

export type PlannerNumbers = Fixed<Wire.PlannerView>;
export type SimulationOrder = Fixed<Wire.SimulationBody>;

/** A mean of trials, and half the width of its interval. */
export interface Estimate {
  readonly mean: number;
  readonly half: number;
}

export type SimulationReport =
  | { readonly progress: number }
  | { readonly at: number; readonly metrics: Readonly<Record<string, Estimate>> }
  /** It was ended early. */
  | { readonly failure: string };

export const readPlanner = async (signal?: AbortSignal): Promise<PlannerNumbers> => call("GET /planner", { signal });

/** Reports as they come, until all points are simulated. The service ends the simulation when `signal` aborts. */
export async function* simulate(
  order: SimulationOrder,
  signal: AbortSignal,
  fetcher: Fetch = browserFetch,
): AsyncGenerator<SimulationReport> {
  for await (const report of reported("/planner/simulations", order, signal, fetcher)) {
    const known = "progress" in report || "failure" in report || ("at" in report && "metrics" in report);
    if (!known) throw new ContractError("POST /planner/simulations", "", "a line is no report");
    yield report as unknown as SimulationReport;
  }
}

export type ExperimentList = Fixed<Wire.ExperimentsView>;
export type StoredExperiment = ExperimentList["experiments"][number];
export type ExperimentOrder = Fixed<Wire.ExperimentBody>;
export type Level = number | string;

/** A published figure beside a simulated one. */
export interface Published {
  readonly value: number;
  readonly half: number | null;
  readonly ratio: number;
  readonly within?: boolean;
}

export interface ExperimentRun {
  readonly levels: Readonly<Record<string, Level>>;
  readonly metrics: Readonly<
    Record<string, { readonly mean: number; readonly half: number | null; readonly trials: number }>
  >;
  readonly expected: Readonly<Record<string, Published>>;
}

export interface ExperimentResult {
  readonly title: string;
  readonly trials: number;
  readonly confidence: number;
  readonly factors: Readonly<Record<string, readonly Level[]>>;
  readonly runs: readonly ExperimentRun[];
  /** By metric, of a 2^k design whose trials have all begun. */
  readonly effects?: Readonly<
    Record<string, readonly { readonly factors: readonly string[]; readonly share: number }[]>
  >;
}

export type ExperimentReport =
  | { readonly progress: number }
  | { readonly result: ExperimentResult; readonly finished: number; readonly trials: number }
  | { readonly failure: string };

export const readExperiments = async (signal?: AbortSignal): Promise<ExperimentList> =>
  call("GET /planner/experiments", { signal });

/** Reports as they come, the last one with all figures. The service ends the experiment when `signal` aborts. */
export async function* runExperiment(
  order: ExperimentOrder,
  signal: AbortSignal,
  fetcher: Fetch = browserFetch,
): AsyncGenerator<ExperimentReport> {
  for await (const report of reported("/planner/experiments/runs", order, signal, fetcher)) {
    const known = "progress" in report || "failure" in report || "result" in report;
    if (!known) throw new ContractError("POST /planner/experiments/runs", "", "a line is no report");
    yield report as unknown as ExperimentReport;
  }
}

const browserFetch: Fetch = (input, init) => fetch(input, init);

/** The lines of JSON of an answer. */
async function* reported(
  path: string,
  order: object,
  signal: AbortSignal,
  fetcher: Fetch,
): AsyncGenerator<Record<string, unknown>> {
  const response = await request(fetcher, `${API}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
    body: JSON.stringify(order),
    signal,
  });
  let rest = "";
  for await (const text of texts(response)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) yield reportOf(line, path);
  }
}

async function* texts(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new OfflineError("the connection broke", { cause });
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function reportOf(line: string, path: string): Record<string, unknown> {
  try {
    const report: unknown = JSON.parse(line);
    if (typeof report === "object" && report !== null) return report as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new ContractError(`POST ${path}`, "", "JSON");
}
