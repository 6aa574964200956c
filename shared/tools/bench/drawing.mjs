// Processor time of the page per view, in Chromium without a GPU: of new fields at 1:1 (fetch, decode, draw), and of frames of a field that is
// here already while it moves (draw alone), at 1:1 and at a scale where tiles are reduced. Requests and batches per new field.
//
// Arguments: SLIDE (else the shared one). WAVESCOPE_BENCH_STORE: a store with the slide `bench`, so that several runs need one ingest.
// WAVESCOPE_BENCH_ADDRESS: a running service instead, with the slide WAVESCOPE_BENCH_SLIDE (`bench`).
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, endChildren, inVenv, run } from "../repository.mjs";
import { chromiumFile, median, slideFile, startService, table } from "./browser.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const ROUNDS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 3);
const FIELDS = 12;
const FRAMES = 60;
const SCALES = [1, 0.55];
const SLIDE = process.env.WAVESCOPE_BENCH_SLIDE ?? "bench";

command(async (args) => {
  const folder = mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  try {
    const address = process.env.WAVESCOPE_BENCH_ADDRESS ?? (await serve(args, folder));
    const executablePath = chromiumFile(chromium);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const rounds = [];
      for (let i = 0; i < ROUNDS; i += 1) rounds.push(await measure(browser, address));
      const rows = Object.keys(rounds[0]).map((name) => [name, median(rounds.map((one) => one[name])).toFixed(1)]);
      table(`Page on ${SLIDE}, medians of ${ROUNDS} rounds`, ["", "each"], rows);
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function serve(args, folder) {
  const store = process.env.WAVESCOPE_BENCH_STORE ?? join(folder, "store");
  if (!existsSync(join(store, "catalog.sqlite"))) {
    const ingest = await run(inVenv("wavescope"), ["ingest", slideFile(args), "--id", "bench", "--store", store]);
    if (ingest.code !== 0) throw new Stop("The slide could not be ingested.", ingest.output);
  }
  return startService(store);
}

/** One opening of the slide: new fields, then frames over one of them. */
async function measure(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(`${address}/slides/${SLIDE}#x=6000&y=6000&scale=1`);
  await page.waitForFunction(isExact, null, { polling: 50 });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const system = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    return 1000 * processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const mainThread = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const both = async (count, work) => {
    const [all, main] = [await renderers(), await mainThread()];
    await work();
    return [(await renderers()) - all, (await mainThread()) - main].map((taken) => taken / count);
  };
  let requests = 0;
  page.on("request", (request) => (requests += request.url().includes("/v/") ? 1 : 0));
  const [all, main] = await both(FIELDS, () => page.evaluate(newFields, FIELDS));
  const result = {
    "new field: processor, all threads of the page, ms": all,
    "new field: main thread, ms": main,
    "new field: requests": requests / FIELDS,
  };
  for (const scale of SCALES) {
    const [, frame] = await both(FRAMES, () => page.evaluate(moveOver, { scale, frames: FRAMES }));
    result[`frame at scale ${scale}: main thread, ms`] = frame;
  }
  await page.close();
  return result;
}

/** Whether the slide is open and drawn with all its layers. Runs in the page. */
function isExact() {
  try {
    return window.__wavescope.fidelity() === "exact";
  } catch {
    return false; // not open yet
  }
}

/** Fields side by side, each until all of it is drawn. Runs in the page. */
async function newFields(count) {
  const { viewport, idle } = window.__wavescope;
  for (let i = 0; i < count; i += 1) {
    viewport.show({ l0_x: 4000 + 1900 * (i % 4), l0_y: 4500 + 1050 * Math.floor(i / 4), scale: 1 }, true);
    await idle();
  }
}

/** Small steps over a field that is drawn already; one frame each. Runs in the page. */
async function moveOver({ scale, frames }) {
  const { viewport, idle } = window.__wavescope;
  const show = (i) => viewport.show({ l0_x: 6000 + 7.3 * (i % 20), l0_y: 6000 + 3.1 * (i % 20), scale }, true);
  for (const i of [0, 19]) {
    show(i);
    await idle();
  }
  for (let i = 0; i < frames; i += 1) {
    show(i);
    await new Promise(requestAnimationFrame);
  }
}
