// npm test: sets up everything, runs every check and every test, ends with `N passed, N failed`.
import "./node-version.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./repository.mjs";
import { runLanes, summary } from "./run-stages.mjs";
import { browser, service } from "./setup.mjs";
import { CHECKS, attackSuite, browserSuite, suites } from "./stages.mjs";

command(async () => {
  await service();
  await browser();
  const results = mkdtempSync(join(tmpdir(), "wavescope-test-"));
  try {
    const { backend, kernel, frontend } = suites(results);
    const quick = await runLanes([backend], [kernel, frontend, ...CHECKS]);
    const attacked = await runLanes([attackSuite()]); // alone: its cases have bounds of time
    const inBrowser = await runLanes([browserSuite(results)]); // alone: it measures time and memory
    return summary([...quick, ...attacked, ...inBrowser]);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
});
