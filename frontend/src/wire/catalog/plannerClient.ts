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
  fetcher: Fetch = (input, init) => fetch(input, init),
): AsyncGenerator<SimulationReport> {
  const response = await request(fetcher, `${API}/planner/simulations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
    body: JSON.stringify(order),
    signal,
  });
  let rest = "";
  for await (const text of texts(response)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter(Boolean).map(reportOf);
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

function reportOf(line: string): SimulationReport {
  let report: SimulationReport;
  try {
    report = JSON.parse(line) as SimulationReport;
  } catch {
    throw new ContractError("POST /planner/simulations", "", "JSON");
  }
  const known = "progress" in report || "failure" in report || ("at" in report && "metrics" in report);
  if (!known) throw new ContractError("POST /planner/simulations", "", "a line is no report");
  return report;
}
