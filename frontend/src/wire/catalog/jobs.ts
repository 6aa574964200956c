/** Ingest jobs (wire/jobs.md, WI26-WI29, WI70-WI72). */
import type * as Wire from "../generated/types";

/** The image qualities with names, from small to exact; `auto` depends on the file. */
export const PRESETS = ["compact", "visual", "fine", "auto", "lossless"] as const;
export type Preset = (typeof PRESETS)[number];

export type JobState = Wire.JobBody["state"];

export interface Job {
  readonly id: string;
  readonly state: JobState;
  readonly filename: string;
  readonly slideId: string | null;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | null;
  /** A preset, or a PSNR of the finest level such as "40dB", if another client requested that. */
  readonly quality: string;
  /** Ids of slides made of the same file, while the uploader is asked what becomes of them. */
  readonly storedAs: readonly string[];
  /** What to know of the files of a job that is done. */
  readonly notices: readonly string[];
  readonly error: { readonly title: string; readonly detail: string } | null;
}

export function jobOf(body: Wire.JobBody): Job {
  const { id, state, filename, done, total, quality, error } = body;
  return {
    id,
    state,
    filename,
    slideId: body.slide_id,
    done,
    total,
    secondsLeft: body.seconds_left,
    quality,
    storedAs: body.stored_as,
    notices: body.notices,
    error,
  };
}

export function hasEnded(job: Job): boolean {
  return job.state === "done" || job.state === "failed" || job.state === "cancelled";
}
