/** Files on their way in: sent, then ingested by a job, then a slide. State without React. */
import { createStore } from "zustand/vanilla";
import { type Measure, startJob } from "@wavescope/core/wire/catalog/advice";
import { cancelJob, listJobs } from "@wavescope/core/wire/catalog/catalogClient";
import { followJob } from "@wavescope/core/wire/catalog/followJob";
import { type Upload, upload } from "@wavescope/core/wire/catalog/resumableUpload";
import { ProblemError, isAbort } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Job, type Qualities, hasEnded } from "@wavescope/core/wire/catalog/jobs";
import { keepOriginal, qualities, rememberQuality, withChosen } from "./quality";

export interface Incoming extends Qualities {
  readonly key: string;
  readonly name: string;
  readonly phase: "sending" | "held" | "waiting" | "ingesting" | "done" | "failed" | "cancelled";
  /** 0 to 1 within the phase; null while unknown. */
  readonly progress: number | null;
  readonly secondsLeft: number | null;
  readonly slideId: string | null;
  readonly reason: string | null;
  readonly jobId: string | null;
  /** The time point of the file, from 1. */
  readonly time: number;
  /** Whether a stored slide gets a new version: then there is no file to preview, and the quality is not changed. */
  readonly reencoding: boolean;
  /** Slides of the same file: the uploader is asked what becomes of them while the phase is `held`. */
  readonly storedAs: readonly string[];
  /** What to know of its files, once it is done. */
  readonly notices: readonly string[];
}

export const incoming = createStore<readonly Incoming[]>(() => []);

const running = new Map<string, Upload>();
let onSlide: () => void = () => undefined;
let onQuestion: () => void = () => undefined;
let counter = 0;

/** Called whenever a new slide is available. */
export function whenSlideArrives(listener: () => void): void {
  onSlide = listener;
}

/** Called whenever a file that this page uploaded waits for an answer. */
export function onFileNeedsDecision(listener: () => void): void {
  onQuestion = listener;
}

/** Files are sent two at a time: connections to one host are few. */
const SENT_AT_A_TIME = 2;
let waiting: { readonly key: string; readonly file: File }[] = [];

/** Seconds before a file is sent again that the service could not accept now (OP47), as after a restart of its database. */
const AGAIN_SECONDS = [2, 5, 10, 15, 30, 60];
const pausing = new Map<string, ReturnType<typeof setTimeout>>();

/** Returns the keys of their entries. */
export function sendFiles(files: Iterable<File>): string[] {
  const keys: string[] = [];
  for (const file of files) {
    const key = `upload:${(counter += 1)}`;
    keys.push(key);
    add({
      key,
      name: file.name,
      phase: "waiting",
      progress: null,
      secondsLeft: null,
      slideId: null,
      reason: null,
      jobId: null,
      ...qualities(),
      time: 1,
      reencoding: false,
      storedAs: [],
      notices: [],
    });
    waiting.push({ key, file });
  }
  sendNext();
  return keys;
}

function sendNext(): void {
  while (running.size < SENT_AT_A_TIME && waiting.length > 0) {
    const { key, file } = waiting.shift()!;
    void send(key, file);
  }
}

/** Jobs that had ended before this page was opened, or whose entries were dismissed: they are not reported. */
const past = new Set<string>();
let looked = false;

/** Takes up jobs that this page did not begin: another window's, a watched folder's, or those from before a reload. */
export async function adoptJobs(): Promise<void> {
  const jobs = await listJobs().catch(() => null);
  for (const job of jobs ?? []) {
    if (!looked && hasEnded(job)) past.add(job.id);
    const entry = incoming.getState().find((one) => one.jobId === job.id);
    if (entry && wrongly(entry, job)) follow(entry.key, job);
    else if (!entry && !past.has(job.id) && running.size === 0) follow(`job:${job.id}`, job);
  }
  looked ||= jobs !== null;
}

/** Whether an entry says that it failed although its job did not: what the service said of the job was lost. */
const wrongly = ({ phase, jobId }: Incoming, { id, state }: Job): boolean =>
  jobId === id && phase === "failed" && state !== "failed";

export function cancel(key: string): void {
  const entry = incoming.getState().find((other) => other.key === key);
  if (waiting.some((other) => other.key === key) || pausing.has(key)) patch(key, { phase: "cancelled" });
  clearTimeout(pausing.get(key));
  pausing.delete(key);
  waiting = waiting.filter((other) => other.key !== key);
  running.get(key)?.abort();
  if (entry?.jobId) void cancelJob(entry.jobId).catch((error: unknown) => patch(key, { reason: explain(error) }));
}

/** Removes an entry from the list, and the record of its ended job from the service. */
export function dismiss(key: string): void {
  const entry = incoming.getState().find((other) => other.key === key);
  if (entry?.jobId) past.add(entry.jobId);
  if (entry?.jobId) void cancelJob(entry.jobId).catch(() => undefined); // it is gone from this list all the same
  incoming.setState(
    incoming.getState().filter((entry) => entry.key !== key),
    true,
  );
}

/** What is chosen of a file, and for it. */
export interface FileChoice {
  readonly quality: string;
  /** Of the file; null: not known yet. */
  readonly measure: Measure | null;
  /** The time point, from 1. */
  readonly time: number;
}

/** Of the file for which they are chosen, and what is remembered for those to come. */
export function chosenFor(before: Qualities, { quality, measure }: FileChoice): Qualities {
  rememberQuality(quality, measure);
  return measure === null ? withChosen(before, quality, null) : { quality, channelQuality: quality };
}

/** Chooses the quality of a file on its way in, and of those to come, and its time point. A running import starts again. */
export async function changeQuality(key: string, choice: FileChoice): Promise<void> {
  const entry = entryAt(key);
  if (!entry) return;
  const { time } = choice;
  const chosen = chosenFor(entry, choice);
  if (entry.jobId) follow(key, await startJob(entry.jobId, chosen, { keepOriginal: keepOriginal(), time }));
  else patch(key, { ...chosen, time });
}

/** Answers the question about a file that is stored already: one more slide, or a new version of one. */
export async function begin(key: string, replace?: string): Promise<void> {
  const entry = entryAt(key)!;
  follow(key, await startJob(entry.jobId!, entry, { replace, keepOriginal: keepOriginal() }));
}

/** Runs a job again that a fault of the machine has stopped, as it was (WI135). */
export function tryAgain(key: string): void {
  const entry = entryAt(key)!;
  void startJob(entry.jobId!, entry)
    .then((job) => follow(key, job))
    .catch((error: unknown) => patch(key, { reason: explain(error) }));
}

const entryAt = (key: string): Incoming | undefined => incoming.getState().find((entry) => entry.key === key);

/** Sends a file again after a while; returns whether another attempt is left. */
function sendLater(key: string, file: File, attempts: number, reason: string): boolean {
  if (attempts >= AGAIN_SECONDS.length) return false;
  patch(key, { phase: "waiting", progress: null, reason });
  const resend = (): void => {
    pausing.delete(key);
    void send(key, file, attempts + 1);
  };
  pausing.set(key, setTimeout(resend, AGAIN_SECONDS[attempts]! * 1000));
  return true;
}

async function send(key: string, file: File, attempts = 0): Promise<void> {
  patch(key, { phase: "sending", progress: 0, reason: null });
  const requested = qualitiesOf(entryAt(key)!);
  const onProgress = (sent: number, total: number): void => patch(key, { progress: total > 0 ? sent / total : null });
  const onJob = (jobId: string): void => patch(key, { jobId });
  const sending = upload(file, requested, onProgress, onJob, keepOriginal());
  running.set(key, sending);
  try {
    const job = await sending.job;
    const wanted = qualitiesOf(entryAt(key) ?? requested); // they may have been changed meanwhile
    const held = job.state === "held";
    const same = wanted.quality === requested.quality && wanted.channelQuality === requested.channelQuality;
    follow(
      key,
      same || held
        ? { ...job, ...wanted }
        : await startJob(job.id, wanted, { keepOriginal: keepOriginal() }).catch(() => job),
    ); // it may have ended
    if (held) onQuestion();
  } catch (error) {
    const reason = explain(error);
    if (isAbort(error)) patch(key, { phase: "cancelled", progress: null });
    else if (!(isNotAccepted(error) && !entryAt(key)?.jobId && sendLater(key, file, attempts, reason)))
      patch(key, { phase: "failed", progress: null, reason });
  } finally {
    running.delete(key);
    sendNext();
  }
}

const qualitiesOf = ({ quality, channelQuality }: Qualities): Qualities => ({ quality, channelQuality });

const isNotAccepted = (error: unknown): boolean => error instanceof ProblemError && error.status === 503;

const followed = new Map<string, () => void>();

function follow(key: string, job: Job): void {
  followed.get(key)?.();
  const handleJob = (now: Job): void => {
    const chosen = now.state === "held" ? entryAt(key) : undefined;
    const entry = { ...entryOf(key, now), ...(chosen && qualitiesOf(chosen)) };
    if (incoming.getState().some((entry) => entry.key === key))
      patch(key, { ...entry, name: now.filename || undefined });
    else add(entry);
    if (hasEnded(now)) followed.delete(key);
    if (now.state === "done") onSlide();
  };
  handleJob(job);
  if (!hasEnded(job)) followed.set(key, followJob(job.id, handleJob));
}

const PHASES = {
  held: "held",
  queued: "waiting",
  running: "ingesting",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
} as const;

function entryOf(key: string, job: Job): Incoming {
  return {
    key,
    name: job.filename,
    phase: PHASES[job.state],
    progress: job.total > 0 ? job.done / job.total : null,
    secondsLeft: job.secondsLeft,
    slideId: job.slideId,
    reason: job.error?.detail ?? null,
    jobId: job.id,
    quality: job.quality,
    channelQuality: job.channelQuality,
    time: job.time,
    reencoding: job.reencodes !== null,
    storedAs: job.storedAs,
    notices: job.notices,
  };
}

function add(entry: Incoming): void {
  incoming.setState([entry, ...incoming.getState()], true);
}

type Patch = { [K in keyof Incoming]?: Incoming[K] | undefined };

function patch(key: string, change: Patch): void {
  const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  incoming.setState(
    incoming.getState().map((entry) => (entry.key === key ? { ...entry, ...known } : entry)),
    true,
  );
}
