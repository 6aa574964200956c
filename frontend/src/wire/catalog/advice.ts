/** What an ingest makes of a job's file, and in which profile (wire/jobs.md, WI51, WI70 to WI72). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { ContractError } from "../http/errors";
import { type Job, PROFILES, type Profile, jobOf } from "./jobs";

/** `fits`: whether there is space for it. */
export type Expected = Readonly<Wire.Expected>;

export interface Advice {
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly sourceBytes: number;
  readonly rawBytes: number;
  readonly freeBytes: number;
  readonly profiles: Readonly<Record<Profile, Expected>>;
}

export async function readAdvice(id: string, signal?: AbortSignal): Promise<Advice> {
  return adviceOf(await call("GET /jobs/{job_id}/advice", { path: { job_id: id }, signal }));
}

/** Begins a held job, or one that runs in another profile once more. `replace`: the slide that gets a new version. */
export async function startJob(id: string, profile: Profile, replace?: string): Promise<Job> {
  return jobOf(await call("POST /jobs/{job_id}/start", { path: { job_id: id }, query: { profile, replace } }));
}

function adviceOf({ width, height, planes, profiles, ...bytes }: Wire.AdviceView): Advice {
  const missing = PROFILES.find((profile) => !profiles[profile]);
  if (missing) throw new ContractError("advice of a job", `/profiles/${missing}`, "missing");
  return {
    width,
    height,
    planes,
    sourceBytes: bytes.source_bytes,
    rawBytes: bytes.raw_bytes,
    freeBytes: bytes.free_bytes,
    profiles: { visual: profiles.visual, lossless: profiles.lossless },
  };
}
