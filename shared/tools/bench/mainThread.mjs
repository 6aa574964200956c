// Work of a page's main thread per frame, out of Chromium's own trace: every task, whatever it did (frames, messages, React, garbage).

/**
 * To be installed before the page's own scripts: leaves out what is a GPU's work. Without one, Chromium draws every pixel of a 2D canvas on the main
 * thread, and WebGL in another process so slowly that frames are seconds apart. Calls of WebGL are made as they are, but draw nothing.
 */
export function leaveOutDrawing() {
  for (const name of ["drawImage", "clearRect", "fillRect"]) CanvasRenderingContext2D.prototype[name] = () => undefined;
  const gl = WebGL2RenderingContext.prototype;
  const { drawArrays, drawArraysInstanced } = gl;
  gl.drawArrays = function (mode, first) {
    drawArrays.call(this, mode, first, 0);
  };
  gl.drawArraysInstanced = function (mode, first, count) {
    drawArraysInstanced.call(this, mode, first, count, 0);
  };
}

const CATEGORIES = ["-*", "disabled-by-default-devtools.timeline", "blink.user_timing"]; // tasks and marks: more of them would cost what is measured

/**
 * Does `work` with the page and gives milliseconds of its main thread from each frame's begin to the next one's, of the clock and of the processor,
 * between the page's marks `frames-begin` and `frames-end`; a task that marks `frame` begins one.
 */
export async function tracedFrames(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  const result = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return { result, ...framesOf(traceEvents) };
}

function framesOf(events) {
  const marks = (wanted) => events.filter(({ name, cat }) => name === wanted && cat.includes("user_timing"));
  const own = marks("frame");
  const thread = threadOf(own[0]);
  const tasks = events.filter((event) => event.name === "RunTask" && event.ph === "X" && threadOf(event) === thread).sort((a, b) => a.ts - b.ts);
  const [first, last] = [marks("frames-begin")[0].ts, marks("frames-end")[0].ts];
  const isFrame = ({ ts, dur }) => ts >= first && ts <= last && own.some((begin) => begin.ts >= ts && begin.ts <= ts + dur);
  const frames = tasks.filter(isFrame).map(({ ts }) => ts);
  const sums = frames.slice(0, -1).map((begin, i) => tasks.filter(({ ts }) => ts >= begin && ts < frames[i + 1]));
  const sum = (values) => values.reduce((all, one) => all + one, 0) / 1000;
  return { clock: sums.map((all) => sum(all.map(({ dur }) => dur))), processor: sums.map((all) => sum(all.map(({ tdur }) => tdur ?? 0))) };
}

const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
