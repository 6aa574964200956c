import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type PlaywrightTestConfig, defineConfig } from "@playwright/test";
import { ENGINES, type EngineName } from "./harness/engines/engine.ts";
import { SPOKEN } from "./harness/language.ts";
import { drawnFiles } from "./harness/sampled.ts";

const first = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path));
const CHROMIUM = first(process.env.PLAYWRIGHT_CHROMIUM, "/usr/bin/chromium");
/** The same engine without windows, tabs and toolbars of its own: it takes two thirds of the processor time. */
const SHELL = first(process.env.PLAYWRIGHT_CHROMIUM_SHELL, "/usr/bin/chromium-headless-shell") ?? CHROMIUM;

/** Nothing of the browser's own traffic or sandboxing may stand between a test and the service. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-precise-memory-info",
];

const files = (names: readonly string[]) => names.map((name) => `**/${name}.spec.ts`);

/** These measure time, frames or requests: nothing else runs beside them. The others run two at a time in `npm test`. */
const MEASURES = ["manyAnnotations", "nothing-blank", "sessionLoss", "traffic"];

/** These touch every feature: they also run through an edge (`npm run e2e:edge`) and on a cluster (`npm run e2e:cluster`). */
const SMOKE = [
  ...["access", "annotating", "annotationsShared", "cases", "compare", "export", "fallback", "information", "joining"],
  ...["light", "looking", "navigation", "protected", "rights", "session", "sessionRecording", "sessionTogether"],
  ...["tours", "upload", "views"],
];

/** Those of them that need no service have a tag (`npm run e2e:static`): `@static`, or `@static-link` if an address leads back to the slide. */
const WITHOUT_SERVICE = ["controls", "keys", "light", "looking", "navigation", "panels", "speaking", "touch", "views"];

/** These need an edge in front of the service, or half a minute of waiting: `npm test` leaves them out. */
const EDGE_ALONE = ["edge", "lostDatabase"];
/** The smoke set of every browser, which `npm run e2e:browsers` runs in three of them. */
const EVERY_BROWSER = "everyBrowser";

/** All others. */
const OTHERS = readdirSync(join(import.meta.dirname, "tests"))
  .map((file) => file.replace(/\.spec\.ts$/, ""))
  .filter((name) => ![...MEASURES, ...SMOKE, ...EDGE_ALONE, EVERY_BROWSER].includes(name));

const PAGES = [...drawnFiles(SMOKE), ...drawnFiles(OTHERS)];

const browser = (executablePath: string | undefined) => ({ launchOptions: { args: ARGUMENTS, executablePath } });

const direct = [
  { name: "pages", testMatch: files(PAGES), outputDir: "test-results/pages", use: browser(SHELL) },
  {
    name: "measures",
    testMatch: files(drawnFiles(MEASURES)),
    outputDir: "test-results/measures",
    use: browser(CHROMIUM),
  },
];
const throughEdge = [
  { name: "edge", testMatch: files([...SMOKE, ...EDGE_ALONE]), outputDir: "test-results/edge", use: browser(SHELL) },
];
/** The certificate of a cluster is self-signed; without the argument Chromium starts no service worker. */
const onCluster = [
  {
    name: "cluster",
    testMatch: files(SMOKE),
    timeout: 240_000, // what begins with a cluster of its own starts seven processes and copies the slides
    outputDir: "test-results/cluster",
    use: {
      ignoreHTTPSErrors: true,
      launchOptions: { args: [...ARGUMENTS, "--ignore-certificate-errors"], executablePath: SHELL },
    },
  },
];
const everyBrowser = ENGINES.map((name) => ({
  name,
  testMatch: files([EVERY_BROWSER]),
  outputDir: `test-results/${name}`,
  use: { browserOf: name },
}));
/** Slides as exported folders and files on nginx (harness/exports.ts). */
const withoutService = ["folder", "file", "dropped"].map((opened) => ({
  name: `static-${opened}`,
  testMatch: files(WITHOUT_SERVICE),
  grep: opened === "dropped" ? /@static(?!-)/ : /@static/,
  metadata: { opened },
  outputDir: `test-results/static-${opened}`,
  use: browser(SHELL),
}));
const projects = (): PlaywrightTestConfig<object, { browserOf: EngineName }>["projects"] => {
  if (process.env.WAVESCOPE_E2E_BROWSERS === "1") return everyBrowser;
  if (process.env.WAVESCOPE_E2E_STATIC === "1") return withoutService;
  if (process.env.WAVESCOPE_E2E_CLUSTER === "1") return onCluster;
  return process.env.WAVESCOPE_E2E_EDGE === "1" ? throughEdge : direct;
};

export default defineConfig<object, { browserOf: EngineName }>({
  testDir: "tests",
  projects: projects(),
  globalSetup: "./harness/globalSetup.ts",
  workers: 1,
  forbidOnly: !!process.env.CI,
  retries: process.env.CI ? 1 : 0, // what passes only then is named in the summary of npm test
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    viewport: { width: 1366, height: 768 }, // a laptop's; drawn without a GPU, a large screen takes twice the time
    deviceScaleFactor: 1,
    trace: "off",
    screenshot: "only-on-failure",
    ...(SPOKEN === "rtl" && { serviceWorkers: "block" }),
    ...(SPOKEN === "de" && { locale: "de-DE" }), // of the pages that the service writes, too
  },
});
