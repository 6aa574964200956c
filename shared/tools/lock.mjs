// npm run lock: writes backend/requirements.lock anew from backend/pyproject.toml, with hashes, for Python 3.11 and newer.
import "./node-version.mjs";
import { Stop, command, inVenv, run } from "./repository.mjs";
import { environment } from "./setup.mjs";

const OUTPUT = "backend/requirements.lock";

command(async (args) => {
  await environment();
  const installed = await run(inVenv("python"), ["-m", "pip", "install", "--quiet", "uv"]);
  if (installed.code !== 0) throw new Stop("uv could not be installed.", installed.output);
  const options = [
    "--universal",
    "--python-version",
    "3.11",
    "--group",
    "backend/pyproject.toml:dev",
    "--extra",
    "edge",
    "--generate-hashes",
    "--no-header",
    "--no-annotate",
    "--quiet",
  ];
  const made = await run(inVenv("uv"), ["pip", "compile", "backend/pyproject.toml", ...options, "-o", OUTPUT, ...args]);
  if (made.code !== 0) throw new Stop("The lock could not be made.", made.output);
  console.log(`${OUTPUT} is up to date; read the difference before you commit it.`);
});
