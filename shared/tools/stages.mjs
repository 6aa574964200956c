// What "tested" means: every check and every test suite as one row. `count` reads how many tests a run passed and failed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at, inVenv, root } from "./house.mjs";
import { systemChromium } from "./setup.mjs";

export const PYTHON_CODE = ["src", "tests", "../shared/tools", "../shared/kernel", "../e2e/harness"];
export const RUFF = ["--config", at("backend/pyproject.toml")];
const inBackend = { cwd: at("backend") };
const inFrontend = { cwd: at("frontend") };
const withCompiler = { env: { ...process.env, WAVESCOPE_PYTHON: inVenv("python") } };
const inE2e = { cwd: at("e2e") };
const node = (folder, bin, ...args) => [process.execPath, [at(folder, "node_modules", bin), ...args]];

/** Biome formats everything that is neither Python nor C; .biome.json says how. */
export const BIOME = (...args) => node("frontend", "@biomejs/biome/bin/biome", ...args);

/** Format, lint, types and import rules; each counts as one test. */
export const CHECKS = [
  { name: "python lint", run: [inVenv("ruff"), ["check", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "python format", run: [inVenv("ruff"), ["format", "--check", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "python types", run: [inVenv("mypy"), ["src"]], options: inBackend },
  { name: "python import rules", run: [inVenv("lint-imports"), []], options: inBackend },
  { name: "TypeScript, JSON and CSS format", run: BIOME("format"), options: { cwd: root } },
  { name: "frontend lint and import rules", npm: ["frontend", ["run", "lint"]] },
  { name: "frontend types", npm: ["frontend", ["run", "typecheck"]] },
  { name: "e2e types", run: node("e2e", "typescript/bin/tsc", "--noEmit"), options: inE2e },
  { name: "contract is up to date", run: [process.execPath, [at("shared/tools/generate-wire.mjs"), "--check"]] },
  { name: "house rules", run: [process.execPath, [at("shared/tools/check-house.mjs")]] },
  { name: "dependency audit", run: [process.execPath, [at("shared/tools/audit-dependencies.mjs")]], count: countAudit },
];

/** The suites that need no browser. `results` is a folder for machine-readable reports. */
export function suites(results) {
  const pytest = join(results, "pytest.xml");
  const vitest = join(results, "vitest.json");
  return {
    backend: {
      name: "backend tests",
      run: [inVenv("pytest"), ["-q", "--junitxml", pytest]],
      options: inBackend,
      count: () => countJunit(pytest),
    },
    kernel: {
      name: "kernel tests",
      run: [process.execPath, [at("shared/tools/test-kernel.mjs")]],
      options: withCompiler,
      count: countLines,
    },
    frontend: {
      name: "frontend tests",
      run: node(
        "frontend",
        "vitest/vitest.mjs",
        "run",
        "--reporter=dot",
        "--reporter=json",
        `--outputFile.json=${vitest}`,
      ),
      options: inFrontend,
      count: () => countVitest(vitest),
    },
  };
}

/** Attacks on services and stores of their own, in their short form of two minutes. */
export function attackSuite() {
  return {
    name: "attacks",
    run: [inVenv("python"), ["-m", "attack", "--short"]],
    options: { cwd: at("backend/tests"), env: { ...process.env, PYTHONWARNINGS: "ignore" } },
    count: (output) => ({ ...countLines(output), skips: countAudit(output).skips }),
  };
}

/** The browser tests, against the real service in real Chromium. */
export function browserSuite(results, ...args) {
  const report = join(results, "playwright.json");
  const chromium = systemChromium();
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(chromium && { PLAYWRIGHT_CHROMIUM: chromium }),
  };
  return {
    name: "e2e tests",
    run: node("e2e", "@playwright/test/cli.js", "test", "--reporter=list,json", ...args),
    options: { ...inE2e, env },
    count: () => countPlaywright(report),
  };
}

function countJunit(file) {
  const text = readFileSync(file, "utf8");
  const suite = /<testsuite [^>]*>/.exec(text)[0];
  const value = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)[1]);
  const failed = value("failures") + value("errors");
  const skips = [...text.matchAll(/<skipped [^>]*message="([^"]*)"/g)].map((match) => match[1]);
  return { passed: value("tests") - failed - skips.length, failed, skips };
}

function countVitest(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  const skips = report.testResults
    .flatMap((suite) => suite.assertionResults)
    .filter((test) => !["passed", "failed"].includes(test.status))
    .map((test) => test.fullName);
  const broken = report.testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.length,
  ).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken, skips };
}

function countPlaywright(file) {
  const { stats, suites: list, errors } = JSON.parse(readFileSync(file, "utf8"));
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const all = list.flatMap(specs);
  const having = (status) => all.filter((spec) => spec.tests.some((test) => test.status === status));
  const reason = (spec) => spec.tests[0].annotations.find((note) => note.type === "skip")?.description ?? "not run";
  const skips = having("skipped").map((spec) => `${spec.title}: ${reason(spec)}`);
  const flaky = having("flaky").map((spec) => `${spec.file}:${spec.line} ${spec.title}`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skips, flaky };
}

/** Lines such as "npm audit of e2e: skipped - why" or "shards: skipped - why". */
function countAudit(output) {
  const lines = [...output.matchAll(/^(.+): (passed|skipped|failed)(?: - (.*))?$/gm)];
  const of = (outcome) => lines.filter(([, , found]) => found === outcome);
  return {
    passed: of("passed").length,
    failed: of("failed").length,
    skips: of("skipped").map(([, name, , why]) => `${name}: ${why}`),
  };
}

/** A suite that prints "N passed, N failed" itself; the last such line counts. */
function countLines(output) {
  const last = [...output.matchAll(/(\d+) passed(?:, (\d+) failed)?/g)].at(-1);
  return last ? { passed: Number(last[1]), failed: Number(last[2] ?? 0), skips: [] } : undefined;
}
