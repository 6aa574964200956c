/** The state of an edge (edge.md, ED32). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { ProblemError } from "../http/errors";
import type { Fixed } from "../http/json";

export type EdgeStatus = Fixed<Wire.EdgeStatusView>;
export type EdgeSample = EdgeStatus["samples"][number];
export type EdgeOrigin = EdgeStatus["origins"][number];
export type OriginSample = EdgeSample["origins"][number];

/** With the samples after the number `since`. */
export async function readEdgeStatus(since: number, signal?: AbortSignal): Promise<EdgeStatus> {
  return call("GET /edge/status", { query: { since }, signal });
}

/** Whether an error says that the service is no edge. */
export const isNotAnEdge = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem === "not-an-edge";
