// The same views beside OpenHTJ2K's JPIP server and its viewer (decision 0030): bytes, and times to a useful picture and to full sharpness, over
// 10 Mbit/s and 100 ms, both pages known to the browser. Their slide is one HTJ2K codestream of the SSIMULACRA 2 that ours has (backend/bench/jpip.py).
// Their viewer has its own defaults, a picture of what has arrived after 200 ms as its help says, and neither overview nor halo, so that all bytes are the view's.
//
// Arguments: SLIDE (else the shared one). WAVESCOPE_BENCH_OPENHTJ2K: the folder of a built OpenHTJ2K (its build/bin, web and web/build/html).
// WAVESCOPE_BENCH_FOLDER keeps store and codestream. WAVESCOPE_BENCH_RUNS: of each (5).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, at, command, endChildren, inVenv, launch, run } from "../repository.mjs";
import {
  VIEWER_NEEDS,
  chromiumFile,
  freePort,
  median,
  needPrograms,
  slideFile,
  startService,
  table,
} from "./browser.mjs";
import { timesOf, watchFrames } from "./frames.mjs";
import { FAST, startLink } from "./link.mjs";
import { SLIDES, microscopePage, prepare, stageSize } from "./pages.mjs";

const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
const RUNS = Number(process.env.WAVESCOPE_BENCH_RUNS ?? 5);
const SLOW = { rate: "10mbit", delay: "50ms" };
const SCREEN = { width: 1920, height: 1080 };
const BAR = 56; // pixels above the canvas of their viewer
const VIEWS = {
  open: "open at 1:1",
  field: "next field",
  pan: "pan by half a field",
  far: "open at 1:4",
  zoom: "zoom in to 1:1",
};
const MOST = { bytes: 0.7, useful: 0.5, sharp: 0.5 };

command(async (args) => {
  const slide = slideFile(args);
  const theirs = process.env.WAVESCOPE_BENCH_OPENHTJ2K;
  for (const file of ["build/bin/open_htj2k_jpip_server", "web/build/html/libopen_htj2k_jpip.js"])
    if (!theirs || !existsSync(join(theirs, file)))
      throw new Stop(`WAVESCOPE_BENCH_OPENHTJ2K is to name the folder of a built OpenHTJ2K, with ${file}.`, "", 2);
  await needPrograms("jpip", VIEWER_NEEDS);
  const executablePath = chromiumFile(chromium);
  const given = process.env.WAVESCOPE_BENCH_FOLDER;
  const folder = given ?? mkdtempSync(join(tmpdir(), "wavescope-bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    const size = await prepare(folder, slide);
    console.log(JSON.stringify(await stream(folder, slide)));
    const service = await startService(join(folder, "store"));
    const jpip = await startJpip(join(theirs, "build/bin/open_htj2k_jpip_server"), join(folder, "jpip.j2c"));
    const files = await serveViewer(join(theirs, "web"));
    const args = ["--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    const browser = await chromium.launch({ executablePath, args });
    try {
      const canvas = await stageSize(browser, service, SCREEN);
      await measure(browser, { service, jpip, files, size, canvas });
    } finally {
      await browser.close();
    }
  } finally {
    endChildren();
    if (!given) rmSync(folder, { recursive: true, force: true });
  }
  process.exit(0); // ends the server of their viewer
});

/** The codestream, unless an earlier run left it: what jpip.py says of it. */
async function stream(folder, slide) {
  const said = join(folder, "jpip.json");
  if (!existsSync(said)) {
    const made = await run(inVenv("python"), [
      at("backend/bench/jpip.py"),
      slide,
      join(folder, "store", SLIDES[0]),
      folder,
    ]);
    if (made.code !== 0) throw new Stop("The HTJ2K codestream could not be made.", made.output);
    writeFileSync(said, made.output);
  }
  return JSON.parse(readFileSync(said, "utf8"));
}

async function startJpip(program, codestream) {
  const port = await freePort();
  const child = launch(program, [codestream, "--port", String(port), "--chunked"], { stdio: "ignore" });
  const address = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 1200 && child.exitCode === null; i += 1, await sleep(50))
    if ((await fetch(`${address}/jpip?fsiz=1,1&type=jpp-stream&len=0`).catch(() => null))?.ok) return address;
  throw new Stop("The JPIP server did not start.");
}

/** Their page with a hook for the bench, its programs beside it, isolated so that its threads work. */
async function serveViewer(web) {
  const page = readFileSync(join(web, "jpip_viewer.html"), "utf8")
    .replace("antialias: false", "antialias: false, preserveDrawingBuffer: true") // so that frames can be looked at
    .replace(
      /fetchView\(\);\n}\ninit\(\);/,
      `window.bench.place();\nfetchView();\n}\nwindow.bench = (${hook})();\ninit();`,
    );
  if (!page.includes("window.bench.place()")) throw new Stop("This version of OpenHTJ2K's viewer is not known here.");
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://bench");
    const file = join(web, "build/html", basename(pathname));
    const body = pathname === "/" ? page : existsSync(file) && basename(pathname) ? readFileSync(file) : null;
    const type = pathname === "/" ? "text/html" : pathname.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    response.writeHead(body === null ? 404 : 200, {
      "Content-Type": type,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;

  /** Becomes part of their script, whose variables it uses. */
  function hook() {
    /* global panX:writable, panY:writable, zoom:writable, vpW, vpH, busy, debounceTimer, lastFetchKey, texW, computeReduce, clampPan, scheduleFetch, connect */
    const at = ({ x, y, scale }) => {
      zoom = scale;
      panX = x - vpW / zoom / 2;
      panY = y - vpH / zoom / 2;
      clampPan();
    };
    const asked = new URLSearchParams(location.search);
    const key = () => `${computeReduce()}:${Math.round(panX)}:${Math.round(panY)}`;
    return {
      place: () => at({ x: +asked.get("x"), y: +asked.get("y"), scale: +asked.get("scale") }),
      show: (place) => (at(place), scheduleFetch()),
      finished: () => texW > 0 && !busy && !debounceTimer && lastFetchKey === key(),
      connect,
    };
  }
}

/** Their page in the words of `microscopePage`; `files`: where it is, `address`: of their server. */
function jpipPage(files, address) {
  const options = `server=${encodeURIComponent(address)}&debounce=60&thumbnail=0&prefetchMargin=0`;
  return {
    shell: `${files}/?${options}`,
    open: ({ x, y, scale }) => `${files}/?${options}&x=${x}&y=${y}&scale=${scale}`,
    show: (place) => window.bench.show(place),
    sharp: () => window.bench?.finished() === true,
    finished: () => window.bench?.finished() === true,
  };
}

/** The two take turns, so that what disturbs one disturbs the other. */
async function measure(browser, { service, jpip, files, size, canvas }) {
  const results = { ours: [], theirs: [] };
  for (let i = 0; i < RUNS; i += 1)
    for (const name of i % 2 ? ["theirs", "ours"] : ["ours", "theirs"]) {
      const link = await startLink(name === "ours" ? service : jpip);
      const pages = name === "ours" ? microscopePage(link.address) : jpipPage(files, link.address);
      const screen = name === "ours" ? SCREEN : { width: canvas.width, height: canvas.height + BAR };
      const near = placeOf(i, size);
      try {
        const [open, field, pan] = await visit(browser, { pages, link, screen }, [
          near,
          { ...near, x: near.x + canvas.width },
          { ...near, x: near.x + canvas.width, y: near.y + (canvas.height >> 1) },
        ]);
        const [far, zoom] = await visit(browser, { pages, link, screen }, [{ ...near, scale: 0.25 }, near]);
        results[name].push({ open, field, pan, far, zoom });
      } finally {
        link.end();
      }
    }
  report(canvas, results);
}

/** A browser that knows the page, not the slide, goes from place to place. */
async function visit(browser, { pages, link, screen }, [first, ...places]) {
  const context = await browser.newContext({ viewport: screen });
  const page = await context.newPage();
  await page.route("https://**", (route) => route.abort()); // their detection of SIMD is of another site
  await page.addInitScript({ content: `window.benchIsSharp = ${pages.sharp};` });
  await page.addInitScript(watchFrames);
  await page.addInitScript(
    ([slide, theirs]) => {
      window.benchWanted = slide;
      if (!theirs) return;
      window.benchCanvas = "#canvas";
      window.wasmFeatureDetect = { simd: async () => true };
    },
    [SLIDES[0], !pages.change],
  );
  await link.reshape(FAST);
  await page.goto(pages.shell);
  await page.waitForLoadState("networkidle");
  if (pages.change) await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto("about:blank");
  await link.reshape(SLOW);
  await page.goto(pages.open(first), { waitUntil: "commit" });
  if (!pages.change) {
    await page.waitForFunction(() => document.getElementById("info")?.textContent.startsWith("WASM ready"), null, {
      polling: 5,
    });
    await page.evaluate(() => void window.bench.connect());
  }
  const results = [];
  let before = 0;
  const arrived = async () => {
    const times = await timesOf(page, pages.finished);
    const now = await link.bytes();
    results.push({ ...times, bytes: now - before });
    before = now;
  };
  await arrived();
  for (const place of places) {
    await page.evaluate(() => window.benchFrames.restart());
    await page.evaluate(pages.show, place);
    await arrived();
  }
  await context.close();
  return results;
}

/** Fields in the tissue's middle, each run's elsewhere; at 1:1. */
function placeOf(i, { width, height }) {
  return { x: Math.round(width * (0.35 + 0.06 * (i % 5))), y: Math.round(height * (0.4 + 0.05 * (i % 4))), scale: 1 };
}

function report({ width, height }, { ours, theirs }) {
  const rows = Object.entries(VIEWS).flatMap(([view, words]) =>
    Object.entries(MOST).map(([what, most]) => {
      const [own, other] = [ours, theirs].map((runs) => median(runs.map((times) => times[view][what])));
      const said = (value) => (what === "bytes" ? `${(value / 1000).toFixed(0)} kB` : `${value.toFixed(0)} ms`);
      const met = own / other <= most ? "met" : "MISSED";
      return [`${words}: ${what}`, said(own), said(other), (own / other).toFixed(2), `<= ${most} x: ${met}`];
    }),
  );
  table(
    `Canvas of ${width} x ${height}, 10 Mbit/s and 100 ms, ${ours.length} runs`,
    ["", "Wavescope", "OpenHTJ2K", "ratio", "target"],
    rows,
  );
}
