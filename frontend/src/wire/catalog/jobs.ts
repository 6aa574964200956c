/** Ingest jobs (wire/jobs.md, WI26-WI29, WI70-WI72). */
import { asArray, asObject, numberOrNull, text, textOrNull, whole } from "../http/shape";
import { ShapeError } from "../http/errors";

export const PROFILES = ["visual", "lossless"] as const;
export type Profile = (typeof PROFILES)[number];

export type JobState = "held" | "queued" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  readonly id: string;
  readonly state: JobState;
  readonly filename: string;
  readonly slideId: string | null;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | null;
  readonly profile: Profile;
  /** Ids of slides made of the same file, while the uploader is asked what becomes of them. */
  readonly storedAs: readonly string[];
  readonly error: { readonly title: string; readonly detail: string } | null;
}

const STATES: readonly string[] = ["held", "queued", "running", "done", "failed", "cancelled"];

export function parseJob(value: unknown): Job {
  const from = asObject(value, "job");
  const state = text(from, "state");
  if (!STATES.includes(state)) throw new ShapeError(`job state ${state} is not known`);
  const error = from.error === null || from.error === undefined ? null : asObject(from.error, "error");
  return {
    id: text(from, "id"),
    state: state as JobState,
    filename: textOrNull(from, "filename") ?? "",
    slideId: textOrNull(from, "slide_id"),
    done: whole(from, "done"),
    total: whole(from, "total"),
    secondsLeft: numberOrNull(from, "seconds_left"),
    profile: from.profile === "lossless" ? "lossless" : "visual",
    storedAs: from.stored_as === undefined ? [] : asArray(from.stored_as, "stored_as").map(String),
    error: error && {
      title: textOrNull(error, "title") ?? "The job failed",
      detail: textOrNull(error, "detail") ?? "",
    },
  };
}

export function parseJobs(value: unknown): Job[] {
  return asArray(asObject(value, "jobs").jobs, "jobs").map(parseJob);
}

export function hasEnded(job: Job): boolean {
  return job.state === "done" || job.state === "failed" || job.state === "cancelled";
}
