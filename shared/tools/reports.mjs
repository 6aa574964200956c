// Reads what the suites report about themselves: {passed, failed, skips, flaky?, failures?}. `failures` has a line for each failed
// test: its name and the reason. Each function throws where the report is missing.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./repository.mjs";

const MAX_REASON = 240;
const REASON_LINES = 4; // of a reason; Playwright and vitest write expected and received on lines of their own

/** JUnit's XML, as pytest writes it. */
export function readJunit(file) {
  const text = readFileSync(file, "utf8");
  const suite = /<testsuite [^>]*>/.exec(text)[0];
  const value = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)[1]);
  const failed = value("failures") + value("errors");
  const skips = [...text.matchAll(/<skipped [^>]*message="([^"]*)"/g)].map((match) => match[1]);
  const cases = text.split("<testcase ").slice(1);
  const failures = cases.flatMap((test) => {
    const found = /<(?:failure|error) message="([^"]*)"/.exec(test);
    return found ? [`${attribute(test, "classname")} ${attribute(test, "name")}: ${reason(unescape(found[1]))}`] : [];
  });
  return { passed: value("tests") - failed - skips.length, failed, skips, failures };
}

/** vitest's JSON. A file that does not load counts as one failure. */
export function readVitest(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.testResults.flatMap((suite) =>
    suite.assertionResults.map((test) => ({ ...test, file: relative(root, suite.name) })),
  );
  const skips = tests.filter((test) => !["passed", "failed"].includes(test.status)).map((test) => test.fullName);
  const broken = report.testResults.filter((suite) => suite.status === "failed" && !suite.assertionResults.length);
  const failures = [
    ...broken.map((suite) => `${relative(root, suite.name)}: ${reason(suite.message)}`),
    ...tests
      .filter((test) => test.status === "failed")
      .map((test) => `${test.file} ${test.fullName}: ${reason(test.failureMessages?.[0])}`),
  ];
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skips, failures };
}

/** Playwright's JSON. */
export function readPlaywright(file) {
  const { stats, suites: list, errors } = JSON.parse(readFileSync(file, "utf8"));
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const all = list.flatMap(specs);
  const having = (status) => all.filter((spec) => spec.tests.some((test) => test.status === status));
  const why = (spec) => spec.tests[0].annotations.find((note) => note.type === "skip")?.description ?? "not run";
  const title = (spec) => `${spec.file}:${spec.line} ${spec.title}`;
  const error = (spec) => spec.tests[0].results.at(-1)?.errors?.[0]?.message;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skips: having("skipped").map((spec) => `${spec.title}: ${why(spec)}`),
    flaky: having("flaky").map(title),
    failures: [
      ...having("unexpected").map((spec) => `${title(spec)}: ${reason(error(spec))}`),
      ...errors.map((one) => `outside a test: ${reason(one.message)}`),
    ],
  };
}

/** Lines such as "npm audit of e2e: skipped - why" or "shards: failed - why". */
export function readOutcomes(output) {
  const lines = [...output.matchAll(/^(.+): (passed|skipped|failed)(?: - (.*))?$/gm)];
  const of = (outcome) => lines.filter(([, , found]) => found === outcome);
  const named = (outcome) => of(outcome).map(([, name, , why]) => `${name}: ${why}`);
  return {
    passed: of("passed").length,
    failed: of("failed").length,
    skips: named("skipped"),
    failures: named("failed"),
  };
}

/**
 * A suite that prints "N passed, N failed" itself; the last such line counts. Its failures are the lines that begin with FAIL, each
 * with the line of details below it, and the kernel's lines "file:line: not so: condition".
 */
export function readCounts(output) {
  const last = [...output.matchAll(/(\d+) passed(?:, (\d+) failed)?/g)].at(-1);
  if (!last) throw new Error("no line says how many passed");
  const failures = [...output.matchAll(/^FAIL +(.+(?:\n {7}.+)?)$|^ +(.+: not so: .+)$/gm)];
  return {
    passed: Number(last[1]),
    failed: Number(last[2] ?? 0),
    skips: [],
    failures: failures.map((match) => reason(match[1] ?? match[2])),
  };
}

const attribute = (tag, name) => unescape(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#10": "\n", "#9": "\t" };
const unescape = (text) => text.replaceAll(/&(amp|lt|gt|quot|apos|#10|#9);/g, (_, name) => ENTITIES[name]);

/** Text without colours. */
// eslint-disable-next-line no-control-regex -- an escape character begins each colour
export const plain = (text) => text.replaceAll(/\u001b\[[\d;]*m/g, "");

/** The first lines of a message, up to the stack, as one line. */
function reason(message) {
  const lines = plain(message ?? "no reason reported")
    .split(/\n\s+at /)[0]
    .split("\n");
  const first = lines.map((line) => line.trim()).filter(Boolean);
  return first.slice(0, REASON_LINES).join(" | ").slice(0, MAX_REASON);
}
