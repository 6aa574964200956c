// npm run format: rewrites what a formatter can settle, then what a linter can.
import "./node-version.mjs";
import { command, npm, run } from "./repository.mjs";
import { FORMATTING } from "./steps.mjs";
import { environment, packages } from "./setup.mjs";

command(async () => {
  await environment();
  await packages("frontend");
  const codes = [];
  for (const { run: step, npm: script, options } of FORMATTING) {
    const shown = { ...options, stdio: "inherit" };
    codes.push(script ? await npm(...script, shown) : await run(...step, shown));
  }
  return Math.max(...codes.map(({ code }) => code));
});
