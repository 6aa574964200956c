import { describe, expect, it } from "vitest";
import { ContractError, ProblemError } from "../http/errors";
import { type SimulationReport, simulate } from "./plannerClient";

const ORDER = { at: [1, 2] };

/** An answer that comes in these pieces. */
function responding(chunks: readonly string[], status = 200) {
  const requested: RequestInit[] = [];
  const fetcher = (_: string, init: RequestInit = {}): Promise<Response> => {
    requested.push(init);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { status }));
  };
  return { fetcher, requested };
}

async function reports(chunks: readonly string[], status = 200): Promise<SimulationReport[]> {
  const found: SimulationReport[] = [];
  const { fetcher } = responding(chunks, status);
  for await (const report of simulate(ORDER, new AbortController().signal, fetcher)) found.push(report);
  return found;
}

describe("a simulation of the planner", () => {
  it("reports line by line, however the bytes are divided (SI25)", async () => {
    const chunks = ['{"progress"', ': 0.5}\n{"at": 1, "metrics": {"response": {"mean": 2, "ha', 'lf": 0.1}}}\n'];
    expect(await reports(chunks)).toEqual([
      { progress: 0.5 },
      { at: 1, metrics: { response: { mean: 2, half: 0.1 } } },
    ]);
  });

  it("refuses what is no report", async () => {
    await expect(reports(["{}\n"])).rejects.toThrow(ContractError);
    await expect(reports(["{\n"])).rejects.toThrow(ContractError);
  });

  it("throws the problem of the service", async () => {
    await expect(reports(['{"type": "/problems/missing-package"}'], 503)).rejects.toThrow(ProblemError);
  });
});
