/** Files on their way in: sent, then ingested by a job, then a slide. State without React. */
import { createStore } from "zustand/vanilla";
import { type Upload, cancelJob, followJob, listJobs, upload } from "../wire/catalogClient";
import { explain, isAbort } from "../wire/errors";
import { type Job, hasEnded } from "../wire/jobs";

export interface Incoming {
  readonly key: string;
  readonly name: string;
  readonly phase: "sending" | "held" | "waiting" | "ingesting" | "done" | "failed" | "cancelled";
  /** 0 to 1 within the phase; null while unknown. */
  readonly progress: number | null;
  readonly secondsLeft: number | null;
  readonly slideId: string | null;
  readonly reason: string | null;
  readonly jobId: string | null;
}

export const incoming = createStore<readonly Incoming[]>(() => []);

const running = new Map<string, Upload>();
let onSlide: () => void = () => undefined;
let onHeld: () => void = () => undefined;
let counter = 0;

/** Told whenever a new slide is there. */
export function whenSlideArrives(listener: () => void): void {
  onSlide = listener;
}

/** Told whenever a file that was sent from here waits for the choice of how to store it. */
export function whenFileIsHeld(listener: () => void): void {
  onHeld = listener;
}

/** Files are sent two at a time: connections to one host are few. */
const SENT_AT_A_TIME = 2;
let waiting: { readonly key: string; readonly file: File }[] = [];

export function sendFiles(files: Iterable<File>): void {
  for (const file of files) {
    const key = `upload:${(counter += 1)}`;
    add({ key, name: file.name, phase: "waiting", progress: null, secondsLeft: null, slideId: null, reason: null, jobId: null });
    waiting.push({ key, file });
  }
  sendNext();
}

function sendNext(): void {
  while (running.size < SENT_AT_A_TIME && waiting.length > 0) {
    const { key, file } = waiting.shift()!;
    void send(key, file);
  }
}

/** Jobs that had ended before this page was opened, or whose entries were dismissed: they are not told of. */
const past = new Set<string>();
let looked = false;

/** Takes up jobs that this page did not begin: another window's, a watched folder's, or those from before a reload. */
export async function adoptJobs(): Promise<void> {
  const jobs = await listJobs().catch(() => null);
  for (const job of jobs ?? []) {
    if (!looked && hasEnded(job)) past.add(job.id);
    const known = past.has(job.id) || incoming.getState().some((one) => one.jobId === job.id);
    if (!known && running.size === 0) follow(`job:${job.id}`, job);
  }
  looked ||= jobs !== null;
}

export function cancel(key: string): void {
  const one = incoming.getState().find((other) => other.key === key);
  if (waiting.some((other) => other.key === key)) patch(key, { phase: "cancelled" });
  waiting = waiting.filter((other) => other.key !== key);
  running.get(key)?.abort();
  if (one?.jobId) void cancelJob(one.jobId).catch((error: unknown) => patch(key, { reason: explain(error) }));
}

/** Removes an entry from the list, and the record of its ended job from the service. */
export function dismiss(key: string): void {
  const one = incoming.getState().find((other) => other.key === key);
  if (one?.jobId) past.add(one.jobId);
  if (one?.jobId) void cancelJob(one.jobId).catch(() => undefined); // it is gone from this list all the same
  incoming.setState(incoming.getState().filter((one) => one.key !== key), true);
}

async function send(key: string, file: File): Promise<void> {
  patch(key, { phase: "sending", progress: 0 });
  const sending = upload(file, (sent, total) => patch(key, { progress: total > 0 ? sent / total : null }));
  running.set(key, sending);
  try {
    const job = await sending.job;
    if (job.state === "held") onHeld();
    follow(key, job);
  } catch (error) {
    if (isAbort(error)) patch(key, { phase: "cancelled", progress: null });
    else patch(key, { phase: "failed", progress: null, reason: explain(error) });
  } finally {
    running.delete(key);
    sendNext();
  }
}

function follow(key: string, job: Job): void {
  const take = (now: Job): void => {
    const entry = entryOf(key, now);
    if (incoming.getState().some((one) => one.key === key)) patch(key, { ...entry, name: now.filename || undefined });
    else add(entry);
    if (now.state === "done") onSlide();
  };
  take(job);
  if (!hasEnded(job)) followJob(job.id, take);
}

const PHASES = { held: "held", queued: "waiting", running: "ingesting", done: "done", failed: "failed", cancelled: "cancelled" } as const;

function entryOf(key: string, job: Job): Incoming {
  return {
    key,
    name: job.filename,
    phase: PHASES[job.state],
    progress: job.total > 0 ? job.done / job.total : null,
    secondsLeft: job.secondsLeft,
    slideId: job.slideId,
    reason: job.error && (job.error.detail || job.error.title),
    jobId: job.id,
  };
}

function add(entry: Incoming): void {
  incoming.setState([entry, ...incoming.getState()], true);
}

type Patch = { [K in keyof Incoming]?: Incoming[K] | undefined };

function patch(key: string, change: Patch): void {
  const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  incoming.setState(incoming.getState().map((one) => (one.key === key ? { ...one, ...known } : one)), true);
}
