// npm run e2e [-- ARGS]: the browser tests alone, one at a time; ARGS go to Playwright (a file, --grep, --headed ...).
// npm run e2e:edge [-- ARGS]: a third of them, each service behind an edge (e2e/playwright.config.ts lists the files).
// npm run e2e:cluster [-- ARGS]: the same third of them, each service a cluster: two nodes behind HAProxy with TLS.
// npm run e2e:browsers [-- ARGS]: the smoke set of every browser: Chromium, Firefox, WebKit (e2e/tests/everyBrowser.spec.ts).
// npm run e2e:static [-- ARGS]: those that need no service, on slides as exported folders and files on nginx, with no service at all.
import "./node-version.mjs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, run } from "./repository.mjs";
import { everything } from "./setup.mjs";
import { browserSuite } from "./steps.mjs";

const MODES = new Set(["--edge", "--cluster", "--static", "--browsers"]);

command(async (given) => {
  const args = given.filter((one) => !MODES.has(one));
  if (given.includes("--browsers")) process.env.WAVESCOPE_E2E_BROWSERS = "1";
  if (given.includes("--edge")) process.env.WAVESCOPE_E2E_EDGE = "1";
  if (given.includes("--static")) process.env.WAVESCOPE_E2E_STATIC = "1";
  if (given.includes("--cluster")) {
    process.env.WAVESCOPE_E2E_CLUSTER = "1";
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"; // certificates of clusters on loopback are self-signed
  }
  await everything();
  const suite = browserSuite("e2e tests", join(tmpdir(), "playwright.json"), ...args);
  const arguments_ = suite.run[1].map((arg) => (arg === "--reporter=list,json" ? "--reporter=list" : arg));
  return (await run(suite.run[0], arguments_, { ...suite.options, stdio: "inherit" })).code;
});
