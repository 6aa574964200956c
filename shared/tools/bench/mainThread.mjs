// Work of a page's main thread per frame, out of Chromium's own trace: every task, whatever it did (frames, messages, React, garbage). Only the
// handing over to the compositor is left out: without a GPU all pixels of a canvas are copied in it (2.7 ms of a frame at 1920 x 1080).

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

/**
 * To be installed before the page's own scripts: WebGL that the processor draws is used as if a graphics card drew it. Else the page leaves it for the
 * painter that works without a graphics card (decision 0005), and the measurement is of that one.
 */
export function pretendGraphicsCard() {
  for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
    const real = prototype.getContext;
    prototype.getContext = function (kind, options) {
      return real.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false });
    };
  }
  const gl = WebGL2RenderingContext.prototype;
  const { getParameter } = gl;
  gl.getParameter = function (name) {
    const value = getParameter.call(this, name);
    return typeof value === "string" ? value.replace(/swiftshader|llvmpipe|software/gi, "card") : value;
  };
  gl.readPixels = () => undefined;
}

const CATEGORIES = ["-*", "disabled-by-default-devtools.timeline", "blink.user_timing"]; // tasks and marks: more of them would cost what is measured

/**
 * Does `work` with the page and gives milliseconds of the processor that its main thread took from each frame's begin to the next one's,
 * between the page's marks `frames-begin` and `frames-end`; a task that marks `frame` begins one.
 */
export async function tracedFrames(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  const result = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return { result, processor: framesOf(traceEvents) };
}

function framesOf(events) {
  const marks = (wanted) => events.filter(({ name, cat }) => name === wanted && cat.includes("user_timing"));
  const own = marks("frame");
  const thread = threadOf(own[0]);
  const spans = (wanted) =>
    events
      .filter((event) => event.name === wanted && event.ph === "X" && threadOf(event) === thread)
      .sort((a, b) => a.ts - b.ts);
  const [tasks, commits] = [spans("RunTask"), spans("Commit")];
  const [first, last] = [marks("frames-begin")[0].ts, marks("frames-end")[0].ts];
  const isFrame = ({ ts, dur }) =>
    ts >= first && ts <= last && own.some((begin) => begin.ts >= ts && begin.ts <= ts + dur);
  const frames = tasks.filter(isFrame).map(({ ts }) => ts);
  const sum = (list, begin, end) =>
    list.reduce((all, { ts, tdur = 0 }) => (ts >= begin && ts < end ? all + tdur / 1000 : all), 0);
  return frames.slice(0, -1).map((begin, i) => sum(tasks, begin, frames[i + 1]) - sum(commits, begin, frames[i + 1]));
}

const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
