// npm run lock: writes the locks of backend/ anew from backend/pyproject.toml, with hashes, for Python 3.11 and newer.
import "./node-version.mjs";
import { Stop, command, inVenv, run } from "./repository.mjs";
import { environment } from "./setup.mjs";

const DEVELOPMENT = ["backend/pyproject.toml", "--group", "backend/pyproject.toml:dev", "--extra", "edge"];
/** Each lock and what it is made from: `installer.lock` has uv, which installs the other. */
const LOCKS = {
  "backend/requirements.lock": DEVELOPMENT,
  "backend/installer.lock": ["--group", "backend/pyproject.toml:installer"],
};
const OPTIONS = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"];

command(async (args) => {
  await environment();
  for (const [lock, source] of Object.entries(LOCKS)) {
    const made = await run(inVenv("uv"), ["pip", "compile", ...source, ...OPTIONS, "--quiet", "-o", lock, ...args]);
    if (made.code !== 0) throw new Stop(`${lock} could not be made.`, made.output);
    console.log(`${lock} is up to date; read the difference before you commit it.`);
  }
});
