import eslint from "@eslint/js";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The rooms from the foundation to the door: a file imports from its own room or from rooms before it. */
const rooms = ["geometry", "wire", "codec", "tiles", "viewer", "session", "app"];

const importOrder = rooms.slice(0, -1).map((room, place) => ({
  target: `./src/${room}`,
  from: rooms.slice(place + 1).map((later) => `./src/${later}`),
  message: `${room} lies nearer the foundation: import flows from the door to the foundation only.`,
}));

const DATES = "Dates are written by dateLabel (app/dates.ts), numbers by groupedNumber (geometry/figures.ts): one style everywhere.";

/** What writes a date or a number in a style of its own. */
const ownStyles = [
  { selector: "MemberExpression[property.name=/^toLocale(String|DateString|TimeString)$/]", message: DATES },
  { selector: "MemberExpression[object.name='Intl'][property.name='DateTimeFormat']", message: DATES },
];

export default tseslint.config(
  { ignores: ["dist", "node_modules"] },
  eslint.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "import-x": importX, "react-hooks": reactHooks },
    settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "import-x/no-cycle": "error",
      "import-x/no-restricted-paths": ["error", { zones: importOrder }],
      "@typescript-eslint/no-non-null-assertion": "off",
      "max-lines": ["error", 500],
      "no-restricted-syntax": ["error", ...ownStyles],
    },
  },
  { files: ["src/app/dates.ts"], rules: { "no-restricted-syntax": "off" } },
  { files: ["src/app/**/*.tsx"], rules: { "max-lines": ["error", 150] } },
);
