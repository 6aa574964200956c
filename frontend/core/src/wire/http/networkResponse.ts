/**
 * How fast the service responds, as the browser's network stack measures it (Resource Timing): unlike what a page measures itself, it does
 * not grow while the page is busy, and answers from a store of the browser are not counted.
 */

/** As long as a response says something of the link; milliseconds. */
const VALID_MS = 120_000;
const REMEMBERED = 16;

type Timing = Pick<
  PerformanceResourceTiming,
  "name" | "transferSize" | "requestStart" | "responseStart" | "responseEnd"
>;

let recent: readonly Timing[] = [];

export function remember(timings: readonly Timing[]): void {
  recent = [...recent, ...timings.filter(({ name, transferSize }) => transferSize && /\/api\//.test(name))].slice(
    -REMEMBERED,
  );
}

const observer = globalThis.PerformanceObserver
  ? new PerformanceObserver((list) => remember(list.getEntries() as PerformanceResourceTiming[]))
  : null;
observer?.observe({ type: "resource", buffered: true });

/** Milliseconds from request to answer, the shortest of recent requests of the API; null: there was none, or this browser does not say. */
export function networkResponse(now: number): number | null {
  remember((observer?.takeRecords() ?? []) as PerformanceResourceTiming[]); // what it would report a moment later
  const valid = recent.filter(({ responseEnd }) => now - responseEnd < VALID_MS);
  return valid.length > 0 ? Math.min(...valid.map((one) => one.responseStart - one.requestStart)) : null;
}
