// npm test [-- --long | --seed SEED]: sets up everything, runs every check and the tests, ends with `N passed, N failed`. Of the slow
// tests of the service it tries an eighth and of the files of browser tests a quarter, drawn by the commit or by SEED. `--long` tries
// all, the tests marked `long`, every case of walks, the long form of the attacks and the smoke set of Firefox and WebKit.
import "./node-version.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stop, command, projectVersion, run } from "./repository.mjs";
import { runLanes, summary } from "./run-steps.mjs";
import { everything } from "./setup.mjs";
import { CHECKS, attackSuite, browserSuites, smokeSuite, suites } from "./steps.mjs";

/** What draws the slow tests: the commit, or the version where there is no git. */
async function commit() {
  const { code, output } = await run("git", ["rev-parse", "--short=12", "HEAD"]);
  return code === 0 ? output.trim() : projectVersion();
}

function readArguments(args) {
  try {
    return parseArgs({ args, options: { long: { type: "boolean" }, seed: { type: "string" } } }).values;
  } catch (cause) {
    throw new Stop(cause.message, "", 2);
  }
}

command(async (args) => {
  const { long, seed } = readArguments(args);
  if (long)
    process.env.WAVESCOPE_LONG = "1"; // for the browser tests, which know no option of their own
  else process.env.TESTS_SEED = seed ?? (await commit());
  await everything();
  if (!long)
    console.log(`A part of the slow tests is tried, the same again by: npm test -- --seed ${process.env.TESTS_SEED}`);
  const results = mkdtempSync(join(tmpdir(), "wavescope-test-"));
  delete process.env.PYTHONDONTWRITEBYTECODE; // some hundred processes load the service: one compiles it
  process.env.PYTHONPYCACHEPREFIX = join(results, "bytecode");
  try {
    const { backend, kernel, frontend } = suites(results, long);
    const quick = await runLanes([backend], [kernel, frontend]);
    const attacked = await runLanes([attackSuite(long)], CHECKS); // its cases have bounds of time: one core is left to it
    const inBrowser = await runLanes([smokeSuite(results, long), ...browserSuites(results)]);
    return summary([...quick, ...attacked, ...inBrowser]);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
});
