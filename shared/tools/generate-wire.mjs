// Writes the contracts that both sides take their types from, out of the service: shared/wire/openapi.json, its routes, and
// shared/wire/session.schema.json, the messages of the live session, of which the page's types are made.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const python = join(root, ".venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

for (const contract of ["wavescope.api.contract", "wavescope.sessions.schema"])
  execFileSync(python, ["-m", contract], { cwd: root, stdio: "inherit" });
execFileSync(process.execPath, [join(root, "shared/tools/session-types.mjs")], { cwd: root, stdio: "inherit" });
