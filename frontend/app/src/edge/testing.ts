/** Samples and the status of an edge, for tests. */
import type { EdgeSample, EdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";

const ORIGIN: EdgeSample["origins"][number] = {
  number: 0,
  bytes: 0,
  requests: 0,
  failures: 0,
  in_flight: null,
  open: 0,
  window: null,
  latency: 0.05,
  bandwidth: null,
  score: null,
};

/** Every 2 s; nothing was read but for `more`. */
export const sampleOf = (number: number, more: Partial<EdgeSample> = {}): EdgeSample => ({
  number,
  at: 1_800_000_000 + 2 * number,
  memory_hits: 0,
  disk_hits: 0,
  misses: 0,
  hit_bytes: 0,
  missed_bytes: 0,
  coalesced: 0,
  evicted: 0,
  memory_bytes: 0,
  disk_bytes: 0,
  waiting: 0,
  requests: 0,
  pushes: 0,
  websockets: 0,
  origins: [ORIGIN],
  ...more,
});

export const statusOf = (samples: readonly EdgeSample[], more: Partial<EdgeStatus> = {}): EdgeStatus => ({
  policy: "sieve",
  assignment: "flow",
  memory_limit: 1000,
  disk_limit: 0,
  damaged: 0,
  dropped: 0,
  lost: false,
  interval: 2,
  origins: [
    {
      number: 0,
      url: "https://slides.example.org",
      state: "ok",
      reason: "",
      slow: null,
      hedges: 0,
      hedges_won: 0,
      probes: 0,
      probes_failed: 0,
      failures: {},
    },
  ],
  samples,
  ...more,
});
