// The pages of the documentation site: documents of the repository where they lie, and two references that are generated.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path/posix";
import { at } from "../repository.mjs";

const SECTIONS = [
  ["Tutorials", "shared/tutorials"],
  ["How to run it", "shared/operations"],
  ["Formats and rules", "shared/spec"],
  ["Decisions", "shared/decisions"],
];
export const PYTHON_PAGE = "reference/python.md";
export const HTTP_PAGE = "reference/http.md";
/** Of the npm package. */
export const NPM_PAGE = "frontend/embed/README.md";
/** Of the vectors, which are no documents themselves. */
export const VECTORS_PAGE = "shared/vectors/README.md";

/** The documents of a folder and of its folders, a README or index first. */
function documents(folder) {
  const found = readdirSync(at(folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const first = (name) => (/^(README|index)\.md$/.test(name) ? 0 : 1);
  return found
    .sort((one, other) => first(one) - first(other) || (one < other ? -1 : 1))
    .map((name) => join(folder, name));
}

const REFERENCE = [
  { "HTTP API": HTTP_PAGE },
  { Python: PYTHON_PAGE },
  { "npm package": NPM_PAGE },
  "shared/settings.md",
  "shared/architecture.md",
  "shared/contributing.md",
  VECTORS_PAGE,
];

/** As mkdocs has it: lists of {title: page or list}. Titles of pages are those of the documents. */
export function navigation() {
  return [
    { Wavescope: "index.md" },
    ...SECTIONS.map(([title, folder]) => ({ [title]: documents(folder) })),
    { Reference: REFERENCE },
    { Changelog: "CHANGELOG.md" },
  ];
}

/** A document in which `[row][column]` is an element of an array, as everywhere here, and no link. */
export const withoutReferences = (text) =>
  text
    .split("\n")
    .map((line) =>
      line
        .split("`")
        .map((part, number) => (number % 2 ? part : part.replaceAll("][", "]\\[")))
        .join("`"),
    )
    .join("\n");

const METHODS = new Set(["get", "put", "post", "patch", "delete", "head"]);

/** Every route with what it does, from the contract. */
export function httpReference() {
  const { info, paths } = JSON.parse(readFileSync(at("shared/wire/openapi.json"), "utf8"));
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { summary, description }]) => row(method, path, description ?? summary ?? "")),
  );
  const head = ["# The HTTP API", "", info.summary ?? "", ""];
  const table = ["| route | what it does |", "|---|---|", ...rows];
  return `${[...head, ...table].join("\n")}\n`;
}

function row(method, path, text) {
  const [first] = text.split("\n\n");
  return `| \`${method.toUpperCase()} ${path}\` | ${first.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")} |`;
}

/** The public names of the client, read from its source when the site is built. */
export const pythonReference = () =>
  [
    "# Python",
    "",
    "The tutorial is [here](../shared/tutorials/client.md), and as [a notebook](client.ipynb).",
    "",
    "::: wavescope.client",
    "",
  ].join("\n");
