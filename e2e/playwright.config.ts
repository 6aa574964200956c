import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const chromium = [process.env.PLAYWRIGHT_CHROMIUM, "/usr/bin/chromium"].find((path) => path && existsSync(path));

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

const files = (...names: string[]) => names.map((name) => `**/${name}.spec.ts`);

/** These measure time, frames or requests: nothing else runs beside them. The others run two at a time in `npm test`. */
const MEASURES = files("manyAnnotations", "nothing-blank", "sessionLoss", "traffic");
/** These take minutes: they start first, so that no worker is without work at the end. */
const LONGEST = files("memory", "pixels");

export default defineConfig({
  testDir: "tests",
  projects: [
    { name: "longest", testMatch: LONGEST, outputDir: "test-results/longest" },
    { name: "pages", testIgnore: [...MEASURES, ...LONGEST], outputDir: "test-results/pages" },
    { name: "measures", testMatch: MEASURES, outputDir: "test-results/measures" },
  ],
  globalSetup: "./harness/globalSetup.ts",
  workers: 1,
  forbidOnly: !!process.env.CI,
  retries: process.env.CI ? 1 : 0, // what passes only then is named in the summary of npm test
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    viewport: { width: 1920, height: 1080 },
    deviceScaleFactor: 1,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: { args: ARGUMENTS, executablePath: chromium },
  },
});
