// npm test [-- --long]: sets up everything, runs every check and every test, ends with `N passed, N failed`. `--long` adds the tests
// marked `long`, every case of walks that otherwise try a seeded eighth, the long form of the attacks and the smoke set of Firefox and
// WebKit.
import "./node-version.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./repository.mjs";
import { runLanes, summary } from "./run-steps.mjs";
import { everything } from "./setup.mjs";
import { CHECKS, attackSuite, browserSuites, everyBrowserSuite, suites } from "./steps.mjs";

command(async (args) => {
  const long = args.includes("--long");
  if (long) process.env.WAVESCOPE_LONG = "1"; // for the browser tests, which know no option of their own
  await everything();
  const results = mkdtempSync(join(tmpdir(), "wavescope-test-"));
  delete process.env.PYTHONDONTWRITEBYTECODE; // some hundred processes load the service: one compiles it
  process.env.PYTHONPYCACHEPREFIX = join(results, "bytecode");
  try {
    const { backend, kernel, frontend } = suites(results, long);
    const quick = await runLanes([backend], [kernel, frontend]);
    const attacked = await runLanes([attackSuite(long)], CHECKS); // its cases have bounds of time: one core is left to it
    const inBrowser = await runLanes([...browserSuites(results), ...(long ? [everyBrowserSuite(results)] : [])]);
    return summary([...quick, ...attacked, ...inBrowser]);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
});
