// Writes the contract out of the service (shared/wire: openapi.json, session.schema.json, push.schema.json), and the page's types and validators out of
// the contract (frontend/src/wire/generated). With --check it only compares both.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, command, inVenv, root, run } from "./repository.mjs";
import { codeOf } from "./wire/code.mjs";
import { readContracts } from "./wire/schemas.mjs";

const CONTRACTS = {
  "openapi.json": "wavescope.api.contract",
  "session.schema.json": "wavescope.sessions.schema",
  "push.schema.json": "wavescope.service.push.schema",
};

command(async ([flag]) => {
  const contracts = await describe();
  const [openapi, session] = Object.values(contracts).map((text) => JSON.parse(text));
  const files = [
    ...within("shared/wire", contracts),
    ...within("frontend/src/wire/generated", await codeOf(readContracts(openapi, session))),
  ];
  const changed = files.filter(([path, text]) => contentOf(at(path)) !== text);
  if (flag !== "--check") for (const [path, text] of changed) writeFileSync(at(path), text);
  else if (changed.length) {
    const names = changed.map(([path]) => path).join(", ");
    console.error(`The contract is not up to date: ${names}. Run: node shared/tools/generate-wire.mjs`);
    return 1;
  }
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

const within = (folder, files) => Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);

function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
