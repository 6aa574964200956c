/** Lint of what stands outside the packages: browser tests, tools, benches. Run from the root: see CHECKS in shared/tools/steps.mjs. */
import eslint from "@eslint/js";
import { join } from "node:path";
import tseslint from "typescript-eslint";
import { TYPED_RULES } from "./eslint.config.mjs";

const ROOT = join(import.meta.dirname, "..");
/** Files without a tsconfig.json. */
const ALONE = [
  "frontend/bench/*.mjs",
  "frontend/embed/create.mjs",
  "shared/kernel/examples/*.mjs",
  "shared/qupath/*.mjs",
];
/** Runs a tool to its end, and sets the exit code. */
const COMMAND = { from: "file", name: "command", path: "shared/tools/repository.mjs" };

const globals = ["Buffer", "URL", "clearTimeout", "console", "fetch", "performance", "process", "setTimeout"];
/** Of the page that a bench looks into. */
const ofPage = [
  ...["document", "dispatchEvent", "history", "localStorage", "location", "navigator"],
  ...["requestAnimationFrame", "window"],
];

export default tseslint.config(
  { ignores: ["**/node_modules", "frontend/dist"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ALONE }, tsconfigRootDir: ROOT } },
    rules: { ...TYPED_RULES, "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }] },
  },
  {
    files: ["e2e/**/*.ts"],
    rules: {
      "@typescript-eslint/no-invalid-void-type": "off", // a fixture without a value
      "@typescript-eslint/unbound-method": "off", // the hooks of the page are functions
    },
  },
  {
    // Plain JavaScript: its types are known where a package or Node has them.
    files: ["**/*.mjs"],
    languageOptions: { globals: Object.fromEntries(globals.map((name) => [name, "readonly"])) },
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [COMMAND] }],
      "@typescript-eslint/no-misused-promises": "error",
    },
  },
  {
    files: ["shared/tools/bench/**/*.mjs", "frontend/bench/**/*.mjs"],
    languageOptions: { globals: Object.fromEntries(ofPage.map((name) => [name, "readonly"])) },
  },
);
