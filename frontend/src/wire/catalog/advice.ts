/** What an ingest makes of a job's file, and in which quality (wire/jobs.md, WI51, WI70 to WI72). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { ContractError } from "../http/errors";
import { type Job, PRESETS, type Preset, jobOf } from "./jobs";

/** `fits`: whether there is space for it; `psnr` in dB of the finest level, 99: every pixel is exact. */
export type Expected = Readonly<Wire.Expected>;

export interface Advice {
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly sourceBytes: number;
  readonly rawBytes: number;
  readonly freeBytes: number;
  readonly presets: Readonly<Record<Preset, Expected>>;
}

export async function readAdvice(id: string, signal?: AbortSignal): Promise<Advice> {
  return adviceOf(await call("GET /jobs/{job_id}/advice", { path: { job_id: id }, signal }));
}

/** Begins a held job, or one that runs in another quality once more. `replace`: the slide that gets a new version. */
export async function startJob(id: string, quality: string, replace?: string): Promise<Job> {
  return jobOf(await call("POST /jobs/{job_id}/start", { path: { job_id: id }, query: { quality, replace } }));
}

function adviceOf({ width, height, planes, presets, ...bytes }: Wire.AdviceView): Advice {
  const missing = PRESETS.find((preset) => !presets[preset]);
  if (missing) throw new ContractError("advice of a job", `/presets/${missing}`, "missing");
  return {
    width,
    height,
    planes,
    sourceBytes: bytes.source_bytes,
    rawBytes: bytes.raw_bytes,
    freeBytes: bytes.free_bytes,
    presets,
  };
}
