import eslint from "@eslint/js";
import { join } from "node:path";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The packages, each of which imports what its package.json names. */
const PACKAGES = ["core", "viewer", "app", "embed"];

/** Each folder's modules from the foundation up; a list inside a list stands for modules that do not import one another. */
const LAYERS = {
  ".": ["core", "viewer", ["app", "embed"]],
  "./core/src": ["i18n", "geometry", "wire", "codec", ["tiles", "overlays"], ["session", "local"]],
  "./core/src/wire": [
    "generated",
    "http",
    "stored",
    "slides",
    ["catalog", "annotations", "sessions", "accounts"],
    "files",
  ],
  "./viewer/src": ["core", "navigation", ["annotate", "light"], ["overlays", "points"], "view", "compare", "live"],
  "./viewer/src/annotate": [["draw", "count"], "store", "paint"],
  "./app/src": [
    "offline",
    "state",
    "ui",
    ["accounts", "quality"],
    "views",
    "microscope",
    ["keyboard", "sharing", "receipt"],
    "settings",
    "session",
    ["tours", "cases", "compare"],
    "slide",
    "local",
    ["incoming", "join", "replay", "audit", "trash", "edge", "planner", "exported"],
    "gallery",
  ],
  "./app/src/session": ["state", ["follow", "entry", "replay"], "panel"],
};

/** A module imports from itself and from modules before it. */
function zonesOf(folder, layers) {
  const zones = [];
  layers.forEach((layer, place) => {
    for (const module of [layer].flat()) {
      const beside = [layer].flat().filter((other) => other !== module);
      const from = [...beside, ...layers.slice(place + 1).flat()].map((other) => `${folder}/${other}`);
      if (from.length)
        zones.push({
          target: `${folder}/${module}`,
          from,
          message: `${module} stands nearer the foundation: see LAYERS in eslint.config.mjs.`,
        });
    }
  });
  return zones;
}

const BY_NAME = "A module of another package is imported by the package's name: @wavescope/core/geometry/pyramid.";
const OF_OTHER_PACKAGE = { regex: `/(${PACKAGES.join("|")})/src/`, message: BY_NAME };
/** It gives no focus back where it is only rendered while it is open. */
const MODAL = { name: "@mantine/core", importNames: ["Modal"], message: "Use ui/Dialog, which gives the focus back." };
/** It leaves out a decimal mark of another language that is pasted. */
const NUMBER = { name: "@mantine/core", importNames: ["NumberInput"], message: "Use ui/NumberInput." };

/** What a package imports stands in its own package.json, but for what tests and builds need, which stands in that of frontend/. */
const declaredImports = PACKAGES.map((name) => ({
  files: [`${name}/src/**/*.{ts,tsx}`],
  rules: {
    "import-x/no-extraneous-dependencies": [
      "error",
      {
        packageDir: [import.meta.dirname, join(import.meta.dirname, name)],
        includeTypes: true,
        optionalDependencies: false,
      },
    ],
  },
}));

const importOrder = [
  ...Object.entries(LAYERS).flatMap(([folder, layers]) => zonesOf(folder, layers)),
  {
    target: "./app/src/planner/formulas",
    from: ["./core", "./viewer", "./app"],
    except: ["./src/planner/formulas"],
    message: "The planner's formulas are arithmetic alone.",
  },
];

const DATES =
  "Dates are written by dateLabel (app/src/ui/dates.ts), numbers by groupedNumber (core/src/geometry/figures.ts): one style everywhere.";

/** What writes a date or a number in a style of its own. */
const ownStyles = [
  { selector: "MemberExpression[property.name=/^toLocale(String|DateString|TimeString)$/]", message: DATES },
  { selector: "MemberExpression[object.name='Intl'][property.name='DateTimeFormat']", message: DATES },
  {
    selector: "NewExpression[callee.object.name='Intl'] > Literal",
    message: "The language of the page is LOCALE (core/src/i18n/locale.ts).",
  },
];

const TEXTS = 'Texts of the page stand in the catalogue core/src/i18n/en: t("area.key").';
const NAMED =
  "/^(label|title|placeholder|description|alt|heading|aria-(label|description|roledescription|valuetext))$/";
// A capitalised word and what follows, but for names of keys and of things outside the page.
const TITLE =
  "/^(?!(Arrow|Enter|Escape|Delete|Backspace|Space|Shift|Control|Alt|Meta|Page|Home|End|Tab|Digit|Key|Ctrl|Numpad|Bracket|Point|Line|Polygon|Feature|Multi|FileError|[A-Z][a-z]+Error|Bearer|Image|Tag|Mod|Inter,|Wavescope$))\\p{Lu}\\p{Ll}{2,}/u";
const isTitle = `[value=${TITLE}]`;
const isWord = "[value=/^\\p{L}.*\\p{L}/u]";
// Two words in a row, and neither a style, a selector, a media query nor a list of tokens.
const isProse = "/^(?!.*(sans-serif|position:|prefers-|role=|noreferrer|^wavescope-|^ of$)).*\\p{L}[,.’;:!?]* \\p{L}/u";

/** Words that a reader sees outside the catalogue: in JSX, in attributes that are read out, and sentences anywhere. */
const ownTexts = [
  {
    selector: `:matches(ConditionalExpression, LogicalExpression, Property, VariableDeclarator, ReturnStatement, ArrowFunctionExpression, ArrayExpression, JSXAttribute) > Literal${isTitle}`,
    message: TEXTS,
  },
  {
    selector: `TemplateElement[value.cooked=${TITLE}]:not(NewExpression > TemplateLiteral > TemplateElement)`,
    message: TEXTS,
  },
  { selector: "JSXText[value=/\\p{L}{2}/u]", message: TEXTS },
  { selector: `JSXAttribute[name.name=${NAMED}] > Literal${isWord}`, message: TEXTS },
  {
    selector: `JSXAttribute[name.name=${NAMED}] > JSXExpressionContainer > ConditionalExpression > Literal${isWord}`,
    message: TEXTS,
  },
  { selector: `JSXElement > JSXExpressionContainer > ConditionalExpression > Literal${isWord}`, message: TEXTS },
  { selector: `Property[key.name=${NAMED}] > Literal[value=/^\\p{Lu}\\p{Ll}/u]`, message: TEXTS },
  {
    selector: `Literal[value=${isProse}]:not(NewExpression > Literal, ImportDeclaration > Literal, TSLiteralType > Literal, CallExpression[callee.name=/^(allows|t)$/] > Literal)`,
    message: TEXTS,
  },
  {
    selector: `TemplateElement[value.cooked=${isProse}]:not(NewExpression > TemplateLiteral > TemplateElement)`,
    message: TEXTS,
  },
];

/** What differs from strictTypeChecked, with or without React. */
export const TYPED_RULES = {
  "@typescript-eslint/no-non-null-assertion": "off",
  "@typescript-eslint/no-confusing-void-expression": "off", // `return this.close();` ends a function early
  // A field changes while a function waits, and a browser may lack what its types promise.
  "@typescript-eslint/no-unnecessary-condition": "off",
  "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
  "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
  // Casts to what a library or a stub is say so; these two rules are a fifth of the time of all.
  "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
  "@typescript-eslint/no-unsafe-enum-assignment": "off",
};

export default tseslint.config(
  { ignores: ["dist", "**/node_modules", "bench", "embed/create.mjs", "core/src/wire/generated"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: TYPED_RULES,
  },
  { files: ["**/*.{js,mjs}"], extends: [tseslint.configs.disableTypeChecked] },
  {
    files: ["*/src/**/*.{ts,tsx}"],
    plugins: { "import-x": importX, "react-hooks": reactHooks },
    settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "import-x/no-cycle": "error",
      "no-restricted-imports": ["error", { patterns: [OF_OTHER_PACKAGE], paths: [MODAL, NUMBER] }],
      "import-x/no-restricted-paths": ["error", { zones: importOrder }],
      "max-params": ["error", 6],
      "no-restricted-syntax": ["error", ...ownStyles],
    },
  },
  {
    files: ["{app,viewer}/src/**/*.{ts,tsx}", "core/src/session/**/*.ts"],
    ignores: [
      ...["**/*.test.*", "**/testing.ts", "app/src/testHooks.ts"],
      "app/src/offline/**", // a service worker shows no texts
      "**/{webglPainter,gpuColourFilter,webglMixer}.ts", // shaders
    ],
    rules: { "no-restricted-syntax": ["error", ...ownStyles, ...ownTexts] },
  },
  { files: ["app/src/ui/dates.ts"], rules: { "no-restricted-syntax": "off" } },
  {
    files: ["app/src/ui/{Dialog,NumberInput}.tsx"],
    rules: { "no-restricted-imports": ["error", { patterns: [OF_OTHER_PACKAGE] }] },
  },
  { files: ["app/src/**/*.tsx"], rules: { "max-lines": ["error", 250] } },
  ...declaredImports,
);
