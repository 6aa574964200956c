/** Regions as files made by the service (wire/jobs.md, WI44-WI47). */
import { problemText } from "../http/explain";
import type * as Wire from "../generated/types";
import { API, call, part } from "../http/api";
import type { Manifest } from "../slides/manifest";

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
  /** Drawn on a PNG or JPEG (WI145). */
  readonly scale_bar?: boolean;
  readonly name?: boolean;
  readonly magnification?: string;
  readonly annotations?: boolean;
  /** The mix of a slide of channels (WI137); without it the default mix. */
  readonly channels?: string;
}

/** The whole slide as one file, with its annotations or without. */
export interface ArchiveRequest {
  readonly annotations: boolean;
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
  readonly state: Wire.ExportBody["state"];
  readonly done: number;
  readonly total: number;
  readonly reason: string | null;
}

function exportOf({ id, filename, state, done, total, error }: Wire.ExportBody): RunningExport {
  return { id, filename, state, done, total, reason: error && problemText(error.type, error.detail) };
}

const versionOf = ({ id, digest }: Manifest) => ({ slide_id: id, digest });

export async function estimateExport(
  manifest: Manifest,
  request: ExportRequest,
  signal?: AbortSignal,
): Promise<ExportEstimate> {
  const path = versionOf(manifest);
  const estimate = await call("GET /slides/{slide_id}/v/{digest}/export-estimate", {
    path,
    query: { ...request },
    signal,
  });
  const { bytes, seconds, free_bytes: freeBytes, pictures } = estimate;
  return { bytes, seconds, freeBytes, pictures };
}

export async function startExport(manifest: Manifest, request: ExportRequest): Promise<RunningExport> {
  const path = versionOf(manifest);
  return exportOf(await call("POST /slides/{slide_id}/v/{digest}/exports", { path, query: { ...request } }));
}

/** The whole slide as one file (WI143). */
export async function startArchive(manifest: Manifest, request: ArchiveRequest): Promise<RunningExport> {
  const path = versionOf(manifest);
  return exportOf(await call("POST /slides/{slide_id}/v/{digest}/archive", { path, query: { ...request } }));
}

export async function readExport(id: string, signal?: AbortSignal): Promise<RunningExport> {
  return exportOf(await call("GET /exports/{export_id}", { path: { export_id: id }, signal }));
}

export async function cancelExport(id: string): Promise<void> {
  await call("DELETE /exports/{export_id}", { path: { export_id: id } });
}

export const exportFile = (id: string): string => `${API}/exports/${part(id)}/file`;
