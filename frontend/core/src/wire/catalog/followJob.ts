/** A job as it changes, until it ends. */
import { API, part } from "../http/api";
import { checked, parsedJson } from "../http/contract";
import { mayRecover } from "../http/errors";
import { JobBody } from "../generated/laterValidators";
import { readJob } from "./catalogClient";
import { type Job, hasEnded, jobOf } from "./jobs";

/** A job in text that did not come as the answer of an operation. Throws ContractError. */
function parseJob(text: string, source: string): Job {
  return jobOf(checked(parsedJson(text, source), JobBody, source));
}

/** A browser opens few connections to one host (six, with HTTP/1.1); event streams must not take them all. */
const MAX_STREAMS = 2;
let streams = 0;

/**
 * Tells every change of a job until it ends. Server-sent events; where they break, or too many are open, asking once a second
 * until the service answers again. Gives a function that stops listening.
 */
export function followJob(id: string, onJob: (job: Job) => void, pollMilliseconds = 1000): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let events = openStream(id);
  const endStream = (): void => {
    if (!events) return;
    events.close();
    events = null;
    streams -= 1;
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    endStream();
  };
  const report = (job: Job): void => {
    if (stopped) return;
    if (hasEnded(job)) stop();
    onJob(job);
  };
  const poll = async (): Promise<void> => {
    try {
      report(await readJob(id));
    } catch (error) {
      if (!mayRecover(error)) return stop();
    }
    if (!stopped) timer = setTimeout(() => void poll(), pollMilliseconds);
  };
  if (!events) void poll();
  events?.addEventListener("job", (event) => report(parseJob((event as MessageEvent<string>).data, eventsOf(id))));
  events?.addEventListener("error", () => {
    endStream();
    if (!stopped) void poll();
  });
  return stop;
}

const eventsOf = (id: string): string => `${API}/jobs/${part(id)}/events`;

function openStream(id: string): EventSource | null {
  if (typeof EventSource === "undefined" || streams >= MAX_STREAMS) return null;
  streams += 1;
  return new EventSource(eventsOf(id));
}
