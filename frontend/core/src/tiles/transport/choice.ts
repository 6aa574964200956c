/** Which transport brings blocks fastest, by what was measured of this link: pure (wire/push.md, WI122, WI123). */

export type Transport = "get" | "batch" | "push";

/** One request with its answer. Times in milliseconds. */
export interface Sample {
  /** From the request to the first block of its answer. */
  readonly response: number;
  /** From the first block to the last one. */
  readonly transfer: number;
  readonly bytes: number;
  readonly at: number;
}

export interface TransportFigures {
  readonly samples: readonly Sample[];
  /** Failures since the last success. */
  readonly failures: number;
  readonly failedAt: number;
}

export type LinkFigures = Readonly<Record<Transport, TransportFigures>>;

const NONE: TransportFigures = { samples: [], failures: 0, failedAt: -Infinity };
export const NO_FIGURES: LinkFigures = { get: NONE, batch: NONE, push: NONE };

const SAMPLES = 8;
/** A link may be another one after this time; milliseconds. */
const VALID_MS = 120_000;
/** Of a shorter answer the rate says little; bytes. */
const LEAST_BYTES = 16 << 10;
/** Below this response time a batch is as good as push; milliseconds. */
export const SLOW_RESPONSE_MS = 40;
/** Push may be so much slower than batches: it is steered. */
const TOLERANCE = 1.1;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;
/** Batches that failed in a row, while single requests may work. */
const BATCH_FAILURES = 2;
/** Requests that a browser has underway at one time. */
export const PARALLEL = 6;
/** Batches that are underway at one time where the service is slow to respond: each connection of TCP begins slowly. */
const LANES = 3;
/** Ranges for which another batch is worth its request. */
const RANGES_PER_LANE = 6;
/** Bytes in flight (bandwidth x delay) up to which one connection fills the link after a response or two. */
const FULL_BYTES = 64 << 10;
/** What a field needs, for the comparison. */
const FIELD = { blocks: 60, bytes: 400_000 };

export function measured(figures: LinkFigures, transport: Transport, sample: Sample): LinkFigures {
  const { samples } = figures[transport];
  return { ...figures, [transport]: { ...NONE, samples: [...samples, sample].slice(-SAMPLES) } };
}

export function failed(figures: LinkFigures, transport: Transport, now: number): LinkFigures {
  const before = figures[transport];
  return { ...figures, [transport]: { ...before, failures: before.failures + 1, failedAt: now } };
}

/** The shortest recent response; null: none. */
export function responseOf({ samples }: TransportFigures, now: number): number | null {
  const recent = samples.filter(({ at }) => now - at < VALID_MS).map(({ response }) => response);
  return recent.length > 0 ? Math.min(...recent) : null;
}

/** Bytes a second of the recent longer answers together; null: there was none. */
export function rateOf({ samples }: TransportFigures, now: number): number | null {
  const long = samples.filter(({ at, bytes, transfer }) => now - at < VALID_MS && bytes >= LEAST_BYTES && transfer > 0);
  const [bytes, transfer] = long.reduce(([b, t], one) => [b + one.bytes, t + one.transfer], [0, 0]);
  return transfer > 0 ? (bytes / transfer) * 1000 : null;
}

/**
 * Whether a push connection is worth opening now: where answers are slow to come, once their rate is known (the service begins with it,
 * WI121), and not too soon after a failure. `network`: the shortest recent response to any request as the browser's network stack
 * measured it (a page that is busy drawing does not delay it); null: it is not known.
 */
export function wantsPush(figures: LinkFigures, network: number | null, now: number): boolean {
  if (!isSlow(figures, network, now) || (rateOf(figures.batch, now) ?? rateOf(figures.get, now)) === null) return false;
  const { failures, failedAt } = figures.push;
  if (failures === 0) return true;
  return now - failedAt >= Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}

/** The transport for the next request. `pushOpen`: whether the connection is open; `network`: see `wantsPush`. */
export function chooseTransport(
  figures: LinkFigures,
  pushOpen: boolean,
  network: number | null,
  now: number,
): Transport {
  const mayPush = pushOpen && figures.push.failures === 0 && isSlow(figures, network, now);
  if (mayPush && isPushBetter(figures, now)) return "push";
  const { failures, failedAt } = figures.batch;
  const broken = failures >= BATCH_FAILURES && now - failedAt < FIRST_RETRY_MS && figures.get.failures === 0;
  return broken || isGetBetter(figures, now) ? "get" : "batch";
}

/** Batches to request so many ranges in, at the same time (WI126); of a link of which nothing is known, too. */
export function lanesFor(ranges: number, figures: LinkFigures, network: number | null, now: number): number {
  const response = responseTime(figures, network, now);
  const rate = rateOf(figures.batch, now) ?? rateOf(figures.push, now) ?? Infinity;
  if (response !== null && (response < SLOW_RESPONSE_MS || (rate * response) / 1000 < FULL_BYTES)) return 1;
  return Math.max(1, Math.min(LANES, Math.floor(ranges / RANGES_PER_LANE)));
}

/** Whether the service is slow to respond. */
function isSlow(figures: LinkFigures, network: number | null, now: number): boolean {
  const response = responseTime(figures, network, now);
  return response !== null && response >= SLOW_RESPONSE_MS;
}

/** The shortest recent response to a request, else of push; null: none. */
function responseTime(figures: LinkFigures, network: number | null, now: number): number | null {
  const responses = [network, responseOf(figures.batch, now), responseOf(figures.get, now)];
  const requests = responses.filter((response) => response !== null);
  return requests.length > 0 ? Math.min(...requests) : responseOf(figures.push, now);
}

function isPushBetter(figures: LinkFigures, now: number): boolean {
  const [push, batch] = [timeOf(figures.push, 1, now), timeOf(figures.batch, 1, now)];
  return push === null || batch === null || push <= TOLERANCE * batch;
}

function isGetBetter(figures: LinkFigures, now: number): boolean {
  const [get, batch] = [timeOf(figures.get, Math.ceil(FIELD.blocks / PARALLEL), now), timeOf(figures.batch, 1, now)];
  return get !== null && batch !== null && get * TOLERANCE < batch;
}

/** Milliseconds for the blocks of a field, after so many responses in a row; null: not known. */
function timeOf(figures: TransportFigures, responses: number, now: number): number | null {
  const [response, rate] = [responseOf(figures, now), rateOf(figures, now)];
  return response === null || rate === null ? null : responses * response + (FIELD.bytes / rate) * 1000;
}
