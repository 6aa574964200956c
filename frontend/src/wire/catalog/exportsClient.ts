/** Regions as files made by the service (wire/jobs.md, WI44-WI47). */
import { API, getJson, part, sendJson } from "../http/api";
import type { Manifest } from "../slides/manifest";
import { asObject, numberOf, text, whole } from "../http/shape";

export type ExportFormat = "png" | "jpg" | "tiff" | "tiff-jpeg";

/** `x`, `y` in level-0 pixels, `width`, `height` in pixels of `level`. */
export interface ExportRequest {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly level: number;
  readonly z: number;
  readonly format: ExportFormat;
}

export interface ExportEstimate {
  readonly bytes: number;
  readonly seconds: number;
  readonly freeBytes: number;
  /** The region and its reductions. */
  readonly pictures: number;
}

export interface RunningExport {
  readonly id: string;
  readonly filename: string;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled";
  readonly done: number;
  readonly total: number;
  readonly reason: string | null;
}

const STATES = ["queued", "running", "done", "failed", "cancelled"] as const;

function parseExport(value: unknown): RunningExport {
  const from = asObject(value, "export");
  const state = STATES.find((one) => one === from.state) ?? "failed";
  const reason = from.error === null ? null : text(asObject(from.error, "error"), "detail");
  return {
    id: text(from, "id"),
    filename: text(from, "filename"),
    state,
    done: whole(from, "done"),
    total: whole(from, "total"),
    reason,
  };
}

function below({ url }: Manifest, what: string, request: ExportRequest): string {
  const query = new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)]));
  return `${url.slice(API.length)}/${what}?${query}`;
}

export async function estimateExport(
  manifest: Manifest,
  request: ExportRequest,
  signal?: AbortSignal,
): Promise<ExportEstimate> {
  const from = asObject(await getJson(below(manifest, "export-estimate", request), signal), "estimate");
  return {
    bytes: whole(from, "bytes"),
    seconds: numberOf(from, "seconds"),
    freeBytes: whole(from, "free_bytes"),
    pictures: whole(from, "pictures"),
  };
}

export async function startExport(manifest: Manifest, request: ExportRequest): Promise<RunningExport> {
  return parseExport(await sendJson("POST", below(manifest, "exports", request)));
}

export async function readExport(id: string, signal?: AbortSignal): Promise<RunningExport> {
  return parseExport(await getJson(`/exports/${part(id)}`, signal));
}

export async function cancelExport(id: string): Promise<void> {
  await sendJson("DELETE", `/exports/${part(id)}`);
}

export const exportFile = (id: string): string => `${API}/exports/${part(id)}/file`;
