// npm run attack [-- --short] [-- NAME ...]: attacks on real services and stores of their own (backend/tests/attack), at most ten
// minutes, at most two with --short. Ends with `N passed, N failed`.
import "./node-version.mjs";
import { command, inVenv, run } from "./repository.mjs";
import { environment, kernel } from "./setup.mjs";
import { attackSuite } from "./stages.mjs";

command(async (args) => {
  await environment();
  await kernel();
  const suite = attackSuite();
  return (await run(inVenv("python"), ["-m", "attack", ...args], { ...suite.options, stdio: "inherit" })).code;
});
