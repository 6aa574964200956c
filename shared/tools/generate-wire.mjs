// Writes the contract out of the service (shared/wire: openapi.json, session.schema.json, push.schema.json, quiz.schema.json), and the page's types and validators out of
// the contract, as every setup does. With --check it only compares the contract with the service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, inVenv, root, run } from "./repository.mjs";
import { wireCode } from "./setup.mjs";

const CONTRACTS = {
  "openapi.json": "wavescope.api.contract",
  "session.schema.json": "wavescope.sessions.schema",
  "push.schema.json": "wavescope.service.push.schema",
  "quiz.schema.json": "wavescope.api.schemas.quiz_file",
};

command(async ([flag]) => {
  const contracts = await describe();
  const changed = Object.keys(contracts).filter((name) => contentOf(at("shared/wire", name)) !== contracts[name]);
  if (flag === "--check" && changed.length) {
    console.error(`The contract is not up to date: ${changed.join(", ")}. Run: node shared/tools/generate-wire.mjs`);
    return 1;
  }
  for (const name of changed) writeFileSync(at("shared/wire", name), contracts[name]);
  return wireCode();
});

/** The contracts as the service describes them now, as text. */
async function describe() {
  const folder = mkdtempSync(join(tmpdir(), "wavescope-wire-"));
  try {
    const texts = {};
    for (const [name, module] of Object.entries(CONTRACTS)) {
      const { code, output } = await run(inVenv("python"), ["-m", module, join(folder, name)], { cwd: root });
      if (code !== 0) throw new Stop(`${module} could not describe its contract.`, output);
      texts[name] = readFileSync(join(folder, name), "utf8");
    }
    return texts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
