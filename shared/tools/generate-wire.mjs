// Writes shared/wire/openapi.json, the contract that both sides generate their types from, out of the service's routes.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const python = join(root, ".venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

execFileSync(python, ["-m", "wavescope.api.contract"], { cwd: root, stdio: "inherit" });
