// npm run check: format, lint, types and import rules, without the tests.
import "./node-version.mjs";
import { command } from "./repository.mjs";
import { runLanes, summary } from "./run-stages.mjs";
import { packages, service } from "./setup.mjs";
import { CHECKS } from "./stages.mjs";

command(async () => {
  await service();
  await packages("e2e");
  const even = CHECKS.filter((_, i) => i % 2 === 0);
  const odd = CHECKS.filter((_, i) => i % 2 === 1);
  return summary(await runLanes(even, odd));
});
