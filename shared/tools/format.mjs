// npm run format: rewrites what a formatter can settle.
import "./node-version.mjs";
import { at, command, inVenv, npm, root, run } from "./repository.mjs";
import { BIOME, C_CODE, PYTHON_CODE, RUFF, inKernel } from "./stages.mjs";
import { environment, packages } from "./setup.mjs";

command(async () => {
  await environment();
  await packages("frontend");
  const backend = { cwd: at("backend"), stdio: "inherit" };
  const codes = [
    await run(inVenv("ruff"), ["check", "--fix", ...RUFF, ...PYTHON_CODE], backend),
    await run(inVenv("ruff"), ["format", ...RUFF, ...PYTHON_CODE], backend),
    await run(inVenv("clang-format"), ["-i", ...C_CODE], { ...inKernel, stdio: "inherit" }),
    await run(...BIOME("format", "--write"), { cwd: root, stdio: "inherit" }),
    await npm("frontend", ["run", "lint", "--", "--fix"], { stdio: "inherit" }),
  ];
  return Math.max(...codes.map(({ code }) => code));
});
