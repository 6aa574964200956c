// Every numbered rule of shared/spec (`- **ST44** ...`) is cited by a test: by the title of a test, or by the comment that documents it.
// A rule that no test cites, a number that is defined twice and a citation of a rule that does not exist are faults.
// `--list` prints each rule with the files that cite it.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { at, root } from "../repository.mjs";

const RULE = /^\s*- \*\*([A-Z]{2}\d+)\*\*/gm;
/** "ST44", "AN16-AN19", "CS21 to CS25"; also as in the names of Python and C functions: "test_st44", "header_is_parsed_cs5". */
const CITATION = /(?<![A-Za-z0-9])([A-Za-z]{2})(\d+)(?![A-Za-z0-9])(?:(?:-| to )\1(\d+))?/g;

/** The titles and comments of tests in a file: the groups that match. In Python a case's id names its rule in brackets. */
const PYTHON_TEST = /def (test_\w+)\([^)]*\)[^:]*:(?:\n\s+"""([\s\S]*?)""")?|"[^"\n]*\(([A-Z]{2}\d[^"\n]*)\)"/g;
const ATTACK = /^"""([\s\S]*?)"""|def attack\([^)]*\)[^:]*:\n\s+"""([\s\S]*?)"""/g;
const TYPESCRIPT_TEST = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
const C_TEST = /TEST\((\w+)\)|\/\*((?:[^*]|\*(?!\/))*)\*\/\s*TEST\(/g;

export const KINDS = [
  { folder: "backend/tests/attack", files: /^(?!.*test_).*\.py$/, titles: ATTACK },
  { folder: "backend/tests", files: /test_\w+\.py$/, titles: PYTHON_TEST },
  ...["core", "viewer", "embed", "app"].map((part) => ({
    folder: `frontend/${part}/src`,
    files: /\.test\.tsx?$/,
    titles: TYPESCRIPT_TEST,
  })),
  { folder: "e2e/tests", files: /\.spec\.ts$/, titles: TYPESCRIPT_TEST },
  { folder: "shared/kernel/test", files: /\.[ch]$/, titles: C_TEST },
];

const under = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => relative(root, join(folder, name)));

/** Rules by number, in the order of the documents, and those that are defined twice. `documents` are texts by file name. */
export function definedRules(documents) {
  const rules = new Map();
  const twice = [];
  for (const [file, text] of documents)
    for (const [, rule] of text.matchAll(RULE)) {
      if (rules.has(rule)) twice.push(`${rule} is defined in ${rules.get(rule)} and in ${file}`);
      rules.set(rule, file);
    }
  return { rules, twice };
}

/** The numbers in the titles and comments of the tests of one file. */
export function citedRules(text, titles) {
  const found = new Set();
  for (const match of text.matchAll(titles)) {
    const title = match.slice(1).join(" ");
    for (const [, series, first, last] of title.replaceAll("_", " ").matchAll(CITATION))
      for (let n = Number(first); n <= Number(last ?? first); n += 1) found.add(`${series.toUpperCase()}${n}`);
  }
  return found;
}

/** Complaints, one a line, and the files that cite each rule. `tests` are the cited numbers by file name. */
export function compare({ rules, twice }, tests) {
  const series = new Set([...rules.keys()].map((rule) => rule.slice(0, 2)));
  const citing = new Map([...rules.keys()].map((rule) => [rule, []]));
  const complaints = [...twice];
  for (const [file, cited] of tests)
    for (const rule of cited) {
      if (citing.has(rule)) citing.get(rule).push(file);
      else if (series.has(rule.slice(0, 2))) complaints.push(`${file} cites ${rule}, which no document defines`);
    }
  for (const [rule, files] of citing)
    if (!files.length) complaints.push(`${rule} (${rules.get(rule)}) is cited by no test`);
  return { complaints, citing };
}

function main(list) {
  const read = (file) => readFileSync(at(file), "utf8");
  const documents = under(at("shared/spec"))
    .filter((file) => file.endsWith(".md"))
    .sort();
  const tests = KINDS.flatMap(({ folder, files, titles }) =>
    under(at(folder))
      .filter((file) => files.test(file))
      .map((file) => [file, citedRules(read(file), titles)]),
  );
  const defined = definedRules(documents.map((file) => [file, read(file)]));
  const { complaints, citing } = compare(defined, tests);
  if (list) for (const [rule, files] of citing) console.log(`${rule} ${files.join(" ")}`);
  for (const complaint of complaints) console.error(complaint);
  console.log(`${defined.rules.size} rules, ${complaints.length} complaints`);
  return complaints.length || !defined.rules.size ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv.includes("--list"));
