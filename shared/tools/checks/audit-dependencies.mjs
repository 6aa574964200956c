// npm run audit: are known faults published for the pinned packages? Asks the advisory services through pip-audit and npm audit.
// Where they cannot be reached the check is skipped, and says so; it never takes longer than its time.
import "../node-version.mjs";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, command, inVenv } from "../repository.mjs";

const MILLISECONDS = 40_000;
const UNREACHABLE =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|endpoint|ConnectionError|NameResolution|Max retries|timed out|not found|Temporary failure|\b(40[0-9]|50[0-9])\b/i;

function ask(name, program, args, cwd) {
  const done = spawnSync(program, args, { cwd, encoding: "utf8", timeout: MILLISECONDS });
  const said = `${done.stdout ?? ""}\n${done.stderr ?? ""}`.trim();
  if (done.status === 0) return { name, outcome: "passed", said: "" };
  if (done.error)
    return {
      name,
      outcome: "skipped",
      said: done.error.code === "ETIMEDOUT" ? `no answer in ${MILLISECONDS / 1000} s` : String(done.error.message),
    };
  if (isVerdict(name, said)) return { name, outcome: "failed", said };
  return {
    name,
    outcome: UNREACHABLE.test(said) ? "skipped" : "failed",
    said: UNREACHABLE.test(said) ? `its advisory service cannot be reached: ${reason(said)}` : said,
  };
}

/** The first line that says what went wrong, without addresses. */
function reason(said) {
  const line = said.split("\n").find((one) => UNREACHABLE.test(one)) ?? "";
  return line.replace(/https?:\S+/g, "its address").slice(0, 120);
}

/** Whether the answer lists faults, and is not a failure to ask. */
function isVerdict(name, said) {
  return name === "pip-audit"
    ? /Found \d+ known vulnerabilit/.test(said)
    : /\d+ (low|moderate|high|critical) severity|found \d+ vulnerabilit/.test(said);
}

function pipAudit() {
  const tool = join(tmpdir(), `wavescope-pip-audit-${process.pid}`);
  try {
    const made = spawnSync(inVenv("python"), ["-m", "pip", "install", "--quiet", "--target", tool, "pip-audit"], {
      encoding: "utf8",
      timeout: MILLISECONDS,
    });
    if (made.status !== 0)
      return { name: "pip-audit", outcome: "skipped", said: "pip-audit could not be installed here" };
    const code = `import sys; sys.path.insert(0, ${JSON.stringify(tool)}); from pip_audit._cli import audit; audit()`;
    return ask(
      "pip-audit",
      inVenv("python"),
      ["-c", code, "--require-hashes", "--disable-pip", "-r", at("backend/requirements.lock"), "--timeout", "15"],
      at("."),
    );
  } finally {
    rmSync(tool, { recursive: true, force: true });
  }
}

command(async () => {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const answers = [
    pipAudit(),
    ...["frontend", "e2e"].map((folder) =>
      ask(
        `npm audit of ${folder}`,
        npm,
        ["audit", "--audit-level=high", "--loglevel=warn", "--fetch-retries=0", "--fetch-timeout=15000"],
        at(folder),
      ),
    ),
  ];
  for (const { name, outcome, said } of answers) console.log(`${name}: ${outcome}${said ? ` - ${said}` : ""}`);
  return answers.some(({ outcome }) => outcome === "failed") ? 1 : 0;
});
