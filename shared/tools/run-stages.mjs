// Runs rows of stages.mjs in lanes and adds up what they say.
import { npm, run } from "./house.mjs";

/** Runs one stage, says how it ended, prints its output if it failed. Resolves with {passed, failed, skips, flaky}. */
async function runStage(stage) {
  const begin = Date.now();
  const { code, output } = await (stage.npm ? npm(...stage.npm) : run(...stage.run, stage.options));
  const result = read(stage, code, output);
  const seconds = ((Date.now() - begin) / 1000).toFixed(0);
  const skipped = result.skips.length ? `, ${result.skips.length} skipped` : "";
  console.log(`${result.failed ? "FAIL" : "ok  "}  ${stage.name}: ${result.passed} passed${skipped} (${seconds} s)`);
  for (const test of result.flaky) console.log(`      flaky, passed when tried again: ${test}`);
  if (result.failed || result.flaky.length) console.log(`${indent(output)}\n`);
  return { ...result, name: stage.name };
}

/** A stage that ends badly has failed at least once, whatever its report says. */
function read(stage, code, output) {
  let counted;
  try {
    counted = stage.count?.(output);
  } catch {
    counted = undefined; // it ended before it wrote a report
  }
  const { passed, failed, skips, flaky = [] } = counted ?? { passed: code === 0 ? 1 : 0, failed: 0, skips: [] };
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), skips, flaky };
}

/** The output without what went well, so that a log cut short still shows what failed. */
const indent = (text) =>
  text
    .trimEnd()
    .split("\n")
    .filter((line) => !/^\s*(✓|wavescope: serving on)/.test(line))
    .slice(-300)
    .map((line) => `      ${line}`)
    .join("\n");

/** Lanes run side by side, the stages of a lane one after another. */
export async function runLanes(...lanes) {
  const results = await Promise.all(
    lanes.map(async (lane) => {
      const done = [];
      for (const stage of lane) done.push(await runStage(stage));
      return done;
    }),
  );
  return results.flat();
}

/**
 * Prints the flaky and the skipped tests and, last, the line `N passed, N failed`; returns the exit code. Where data is required
 * (WAVESCOPE_REQUIRE_DATA=1) a test that was skipped for want of it counts as failed.
 */
export function summary(results) {
  const skips = results.flatMap(({ name, skips }) => skips.map((reason) => `${name}: ${reason}`));
  const required = process.env.WAVESCOPE_REQUIRE_DATA === "1";
  const wanted = required ? skips.filter((reason) => /data/i.test(reason)) : [];
  for (const [reason, times] of countEqual(skips))
    console.log(`${wanted.includes(reason) ? "FAIL" : "    "}  skipped ${times} x ${reason}`);
  for (const { name, flaky } of results)
    for (const test of flaky) console.log(`FLAKY ${name}: ${test} (passed when tried again)`);
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
