// Runs rows of steps.mjs in lanes and adds up what they say.
import { npm, run } from "./repository.mjs";
import { plain } from "./reports.mjs";

const MAX_TRIED_AGAIN = 8; // failed tests; more of them have one cause
const MAX_NAMED = 20; // failed tests that are named one by one
const MAX_OUTPUT = 300; // last lines of a failed step's output

/** Runs one step, says how it ended, prints what failed and then its output. Resolves with {name, passed, failed, skips, flaky, failures}. */
async function runStep(step) {
  const begin = Date.now();
  const { code, output } = await (step.npm ? npm(...step.npm) : run(...step.run, step.options));
  const first = read(step, code, output);
  const result = mayTryAgain(step, first) ? await tryAgain(step.again, first) : first;
  const seconds = ((Date.now() - begin) / 1000).toFixed(0);
  const skipped = result.skips.length ? `, ${result.skips.length} skipped` : "";
  const failed = result.failed ? `, ${result.failed} failed` : "";
  console.log(
    `${result.failed ? "FAIL" : "ok  "}  ${step.name}: ${result.passed} passed${failed}${skipped} (${seconds} s)`,
  );
  for (const line of named(result.failures)) console.log(`      ${line}`);
  for (const test of result.flaky) console.log(`      flaky, passed when tried again: ${test}`);
  if (result.failed || result.flaky.length) console.log(`      output of ${step.name}:\n${essential(output)}\n`);
  return { ...result, name: step.name };
}

/** In CI, a few failed tests are tried once more (`again` of the step): real servers on a machine that others use too. */
const mayTryAgain = (step, { failed, failures }) =>
  process.env.CI && step.again && failed === failures.length && failed > 0 && failed <= MAX_TRIED_AGAIN;

/** What passes now is flaky: it counts as passed, and is named. */
async function tryAgain(step, first) {
  const { code, output } = await run(...step.run, step.options);
  const second = read(step, code, output);
  if (second.passed + second.failed < first.failed) return first; // not all of them were tried
  const test = (line) => line.split(": ", 1)[0];
  const still = second.failures.map(test);
  const flaky = first.failures.filter((line) => !still.includes(test(line)));
  return { ...first, passed: first.passed + flaky.length, failed: second.failed, flaky, failures: second.failures };
}

/** A step that ends badly has failed at least once, whatever its report says; without a report its last line of output is the reason. */
function read(step, code, output) {
  let report;
  try {
    report = step.read?.(output);
  } catch {
    report = undefined; // it ended before it wrote a report
  }
  const {
    passed,
    failed,
    skips,
    flaky = [],
    failures = [],
  } = report ?? { passed: code === 0 ? 1 : 0, failed: 0, skips: [] };
  const counted = code === 0 ? failed : Math.max(failed, 1);
  const last = essential(output).split("\n").at(-1).trim();
  const reasons = counted && !failures.length ? [`exit code ${code}: ${last || "no output"}`] : failures;
  return { passed, failed: counted, skips, flaky, failures: reasons };
}

/** What went well: Playwright's passed tests, lines of dots, a service that started. */
const WELL = /^\s*(✓|wavescope: serving on|\{.*"event": "serving"|[.FEsxX]+\s+\[\s*\d+%\]$|[·-]+$)/;

/** The last lines of the output, without what went well. */
const essential = (text) =>
  plain(text)
    .trimEnd()
    .split("\n")
    .filter((line) => line.trim() && !WELL.test(line))
    .slice(-MAX_OUTPUT)
    .map((line) => `      ${line}`)
    .join("\n");

function named(failures) {
  const more = failures.length - MAX_NAMED;
  return [...failures.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Lanes run side by side, the steps of a lane one after another. */
export async function runLanes(...lanes) {
  const results = await Promise.all(
    lanes.map(async (lane) => {
      const done = [];
      for (const step of lane) done.push(await runStep(step));
      return done;
    }),
  );
  return results.flat();
}

/**
 * Prints the skipped, the flaky and the failed tests and, last, the line `N passed, N failed`; returns the exit code. Where data is
 * required (WAVESCOPE_REQUIRE_DATA=1) a test that was skipped because data is missing counts as failed.
 */
export function summary(results) {
  const skips = results.flatMap(({ name, skips }) => skips.map((reason) => `${name}: ${reason}`));
  const required = process.env.WAVESCOPE_REQUIRE_DATA === "1";
  const wanted = required ? skips.filter((reason) => /data/i.test(reason)) : [];
  for (const [reason, times] of countEqual(skips))
    console.log(`${wanted.includes(reason) ? "FAIL" : "    "}  skipped ${times} x ${reason}`);
  for (const { name, flaky } of results)
    for (const test of flaky) console.log(`FLAKY ${name}: ${test} (passed when tried again)`);
  for (const { name, failures } of results) for (const line of named(failures)) console.log(`FAILED ${name}: ${line}`);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failed = sum("failed") + wanted.length;
  console.log(`\n${sum("passed")} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

function countEqual(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
