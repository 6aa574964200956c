// Work of a page's main thread per frame, out of Chromium's own trace: every task, whatever it did (frames, messages, React, garbage).

/** To be installed before the page's own scripts. Without a GPU, Chromium draws every pixel of a 2D canvas on the main thread: that part is left out. */
export function leaveOutDrawing() {
  for (const name of ["drawImage", "clearRect", "fillRect"]) CanvasRenderingContext2D.prototype[name] = () => undefined;
}

const CATEGORIES = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"];

/**
 * Does `work` with the page and gives milliseconds of its main thread from each frame's begin to the next one's, of the clock and of the processor,
 * between the page's marks `frames-begin` and `frames-end`.
 */
export async function tracedFrames(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  const result = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return { result, ...framesOf(traceEvents) };
}

/** Of the renderer that drew most frames. */
function framesOf(events) {
  const begins = new Map();
  for (const event of events) if (event.name === "FireAnimationFrame") begins.set(threadOf(event), [...(begins.get(threadOf(event)) ?? []), event]);
  const [thread, own] = [...begins].sort(([, a], [, b]) => b.length - a.length)[0];
  const tasks = events.filter((event) => event.name === "RunTask" && event.ph === "X" && threadOf(event) === thread).sort((a, b) => a.ts - b.ts);
  const mark = (wanted) => events.find(({ name, cat }) => name === wanted && cat.includes("user_timing")).ts;
  const [first, last] = [mark("frames-begin"), mark("frames-end")];
  const isFrame = ({ ts, dur }) => ts >= first && ts <= last && own.some((begin) => begin.ts >= ts && begin.ts <= ts + dur);
  const frames = tasks.filter(isFrame).map(({ ts }) => ts);
  const sums = frames.slice(0, -1).map((begin, i) => tasks.filter(({ ts }) => ts >= begin && ts < frames[i + 1]));
  const sum = (values) => values.reduce((all, one) => all + one, 0) / 1000;
  return { clock: sums.map((all) => sum(all.map(({ dur }) => dur))), processor: sums.map((all) => sum(all.map(({ tdur }) => tdur ?? 0))) };
}

const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
