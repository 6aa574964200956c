/** What an ingest makes of a job's file, and in which profile (wire/jobs.md, WI51, WI70 to WI72). */
import { type Fetch, jsonOf, request } from "../http/http";
import { type Job, type Profile, parseJob } from "./jobs";
import { asObject, numberOf, truth, whole } from "../http/shape";

export interface Expected {
  readonly bytes: number;
  readonly seconds: number;
  /** Whether there is room for it. */
  readonly fits: boolean;
}

export interface Advice {
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly sourceBytes: number;
  readonly rawBytes: number;
  readonly freeBytes: number;
  readonly profiles: Readonly<Record<Profile, Expected>>;
}

const browserFetch: Fetch = (input, init) => fetch(input, init);
const jobUrl = (id: string): string => `/api/v1/jobs/${encodeURIComponent(id)}`;

export async function readAdvice(jobId: string, signal?: AbortSignal): Promise<Advice> {
  return parseAdvice(await jsonOf(await request(browserFetch, `${jobUrl(jobId)}/advice`, { signal })));
}

/** Begins a held job, or one that runs in another profile once more. `replace`: the slide that gets a new version. */
export async function startJob(jobId: string, profile: Profile, replace?: string): Promise<Job> {
  const query = new URLSearchParams({ profile, ...(replace === undefined ? {} : { replace }) });
  return parseJob(await jsonOf(await request(browserFetch, `${jobUrl(jobId)}/start?${query}`, { method: "POST" })));
}

export function parseAdvice(value: unknown): Advice {
  const from = asObject(value, "advice");
  const profiles = asObject(from.profiles, "profiles");
  const expected = (profile: Profile): Expected => {
    const one = asObject(profiles[profile], profile);
    return { bytes: whole(one, "bytes"), seconds: numberOf(one, "seconds"), fits: truth(one, "fits") };
  };
  return {
    width: whole(from, "width"),
    height: whole(from, "height"),
    planes: whole(from, "planes"),
    sourceBytes: whole(from, "source_bytes"),
    rawBytes: whole(from, "raw_bytes"),
    freeBytes: whole(from, "free_bytes"),
    profiles: { visual: expected("visual"), lossless: expected("lossless") },
  };
}
