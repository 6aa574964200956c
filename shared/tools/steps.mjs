// What "tested" means: every check and every test suite as one row. `read` reads what a run reports (reports.mjs).
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { at, inVenv, root } from "./repository.mjs";
import { readCounts, readJunit, readOutcomes, readPlaywright, readVitest } from "./reports.mjs";
import { systemChromium } from "./setup.mjs";

const PYTHON_SCRIPTS = ["bench", "hatch_build.py", "../shared", "../e2e/harness"];
export const PYTHON_CODE = ["src", "tests", ...PYTHON_SCRIPTS];
/** The C files of the kernel; the generated tables stand in shared/kernel/.clang-format-ignore. */
export const C_CODE = ["include", "src", "src/entropy", "test", "fuzz", "bench"].flatMap((folder) =>
  readdirSync(at("shared/kernel", folder))
    .filter((file) => /\.[ch]$/.test(file))
    .map((file) => `${folder}/${file}`),
);
export const inKernel = { cwd: at("shared/kernel") }; // where clang-format finds its configuration
export const RUFF = ["--config", at("backend/pyproject.toml")];
const inBackend = { cwd: at("backend") };
/** Some modules of the benches have names of those of the tests: mypy checks them in a run and a cache of their own. */
const inBench = { ...inBackend, env: { ...process.env, MYPYPATH: ["bench", "bench/codec"].join(delimiter) } };
const OWN_CACHE = ["--cache-dir", ".mypy_cache/bench"];
const inFrontend = { cwd: at("frontend") };
const withCompiler = { env: { ...process.env, WAVESCOPE_PYTHON: inVenv("python") } };
const inE2e = { cwd: at("e2e") };
const node = (folder, bin, ...args) => [process.execPath, [at(folder, "node_modules", bin), ...args]];

/** Biome formats everything that is neither Python nor C; .biome.json says how. */
export const BIOME = (...args) => node("frontend", "@biomejs/biome/bin/biome", ...args);

/** The linter of the packages, for what stands outside of them. */
const LINTED = ["e2e", "shared", "frontend/bench", "frontend/embed/create.mjs"];
const LINT = (...args) =>
  node("frontend", "eslint/bin/eslint.js", "--config", "frontend/eslint.tools.config.mjs", ...args, ...LINTED);

/** What `npm run format` does, in this order: a linter refuses lines that a formatter would have settled. */
export const FORMATTING = [
  { name: "python format", run: [inVenv("ruff"), ["format", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "C format", run: [inVenv("clang-format"), ["-i", ...C_CODE]], options: inKernel },
  { name: "TypeScript, JSON and CSS format", run: BIOME("format", "--write"), options: { cwd: root } },
  { name: "python lint", run: [inVenv("ruff"), ["check", "--fix", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "frontend lint", npm: ["frontend", ["run", "lint", "--", "--fix"]] },
  { name: "e2e and tools lint", run: LINT("--fix"), options: { cwd: root } },
];

/** Format, lint, types and import rules; each counts as one test. */
export const CHECKS = [
  { name: "python lint", run: [inVenv("ruff"), ["check", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "python format", run: [inVenv("ruff"), ["format", "--check", ...RUFF, ...PYTHON_CODE]], options: inBackend },
  { name: "C format", run: [inVenv("clang-format"), ["--dry-run", "-Werror", ...C_CODE]], options: inKernel },
  { name: "python types", run: [inVenv("mypy"), ["src", "tests"]], options: inBackend },
  { name: "python types of scripts", run: [inVenv("mypy"), [...OWN_CACHE, ...PYTHON_SCRIPTS]], options: inBench },
  { name: "python import rules", run: [inVenv("lint-imports"), []], options: inBackend },
  { name: "TypeScript, JSON and CSS format", run: BIOME("format"), options: { cwd: root } },
  { name: "frontend lint and import rules", npm: ["frontend", ["run", "lint"]] },
  { name: "e2e and tools lint", run: LINT("--max-warnings", "0"), options: { cwd: root } },
  { name: "frontend types", npm: ["frontend", ["run", "typecheck"]] },
  { name: "e2e types", run: node("e2e", "typescript/bin/tsc", "--noEmit"), options: inE2e },
  { name: "contract is up to date", run: [process.execPath, [at("shared/tools/generate-wire.mjs"), "--check"]] },
  { name: "repository rules", run: [process.execPath, [at("shared/tools/checks/repository.mjs")]] },
  { name: "banned words", run: [process.execPath, [at("shared/tools/checks/words.mjs")]] },
  { name: "limits", run: [process.execPath, [at("shared/tools/checks/limits.mjs")]] },
  { name: "rules cited by tests", run: [process.execPath, [at("shared/tools/checks/rules.mjs")]] },
  {
    name: "documentation site",
    run: [process.execPath, [at("shared/tools/docs/site.mjs"), "--check"]],
    read: readOutcomes,
  },
  {
    name: "dependency audit",
    run: [process.execPath, [at("shared/tools/checks/audit-dependencies.mjs")]],
    read: readOutcomes,
  },
];

/** Two processes; a file's tests stay in one of them, and the files start in the order of their folders. */
const PYTEST = ["-q", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"];
const FAILED = ["-q", "--last-failed", "--last-failed-no-failures", "none"]; // in one process: nothing else runs beside them

/** The suites that need no browser. `results` is a folder for machine-readable reports; `long` adds the tests marked so. */
export function suites(results, long = false) {
  const vitest = join(results, "vitest.json");
  const backend = (report, ...args) => ({
    name: "backend tests",
    run: [inVenv("pytest"), [...args, ...(long ? ["-m", ""] : []), "--junitxml", join(results, report)]],
    options: inBackend,
    read: () => readJunit(join(results, report)),
  });
  return {
    backend: { ...backend("pytest.xml", ...PYTEST), again: backend("pytest-again.xml", ...FAILED) },
    kernel: {
      name: "kernel tests",
      run: [process.execPath, [at("shared/tools/test-kernel.mjs")]],
      options: withCompiler,
      read: readCounts,
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
      read: () => readVitest(vitest),
    },
  };
}

/** Attacks on services and stores of their own, in their short form of two minutes or their `long` one of ten. */
export function attackSuite(long = false) {
  return {
    name: "attacks",
    run: [inVenv("python"), ["-m", "attack", ...(long ? [] : ["--short"])]],
    options: { cwd: at("backend/tests"), env: { ...process.env, PYTHONWARNINGS: "ignore" } },
    read: (output) => ({ ...readCounts(output), skips: readOutcomes(output).skips }),
  };
}

/** Two steps, one after the other: the specs that may run two at a time, and those that measure. */
export const browserSuites = (results) => [
  browserSuite("e2e tests", join(results, "pages.json"), "--project=pages", "--workers=2"),
  browserSuite("e2e measures", join(results, "measures.json"), "--project=measures"),
];

/** The smoke set in Chromium, and in `every` other browser that this machine has. */
export const smokeSuite = (results, every = false) => {
  const suite = browserSuite("e2e smoke", join(results, "smoke.json"), ...(every ? [] : ["--project=chromium"]));
  return { ...suite, options: { ...suite.options, env: { ...suite.options.env, WAVESCOPE_E2E_BROWSERS: "1" } } };
};

/** The browser tests, against the real service in real Chromium; one at a time unless `args` say otherwise. */
export function browserSuite(name, report, ...args) {
  const chromium = systemChromium();
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(chromium && { PLAYWRIGHT_CHROMIUM: chromium }),
  };
  return {
    name,
    run: node("e2e", "@playwright/test/cli.js", "test", "--reporter=list,json", ...args),
    options: { ...inE2e, env },
    read: () => readPlaywright(report),
  };
}
