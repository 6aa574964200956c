// Fails on words that the glossary bans. Usage: checks/words.mjs [FILE...], or checks/words.mjs --find WORD... to see where words are used.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, extname, isAbsolute } from "node:path";
import { at, root } from "../repository.mjs";

const GLOSSARY = "shared/spec/glossary.md";
/** Not checked: the glossary itself, the test of this check, the history, the licence, and what is generated or must not change. */
const SKIPPED =
  /^(shared\/spec\/glossary\.md|backend\/tests\/test_words\.py|CHANGELOG\.md|LICENSE|shared\/(vectors|wire|kernel\/fuzz\/corpus)|.*(lock\.json|\.lock)$|.*\/generated\/)/;
const CHECKED = /\.(py|ts|tsx|mjs|js|c|h|java|groovy|css|html|md|json|toml|ya?ml|conf)$|(^|\/)Dockerfile$/;

const COMMENT_C = "//[^\\n]*|/\\*[\\s\\S]*?\\*/";
const STRING = `"(?:\\\\[\\s\\S]|[^"\\\\\\n])*"|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'`;
const NAME = "[A-Za-z_$][\\w$]*";
const TEMPLATE = "`(?:\\\\[\\s\\S]|[^`\\\\])*`";
/** Per language: comments and strings (text), then names. In a document, what stands between backquotes is a name. */
const SYNTAX = {
  python: new RegExp(`("""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|${STRING})|${NAME}`, "g"),
  script: new RegExp(`(${COMMENT_C}|${STRING}|${TEMPLATE})|${NAME}`, "g"),
  document: new RegExp(`(\`[^\`\\n]*\`)`, "g"),
};
const LANGUAGE = {
  ".py": "python",
  ".ts": "script",
  ".tsx": "script",
  ".mjs": "script",
  ".js": "script",
  ".c": "script",
  ".h": "script",
  ".java": "script",
  ".groovy": "script",
};

/** The rows of the glossary's table "Banned words": {words, where, instead, files, names}. */
export function readTable(markdown) {
  const table = markdown.slice(markdown.indexOf("\n## Banned words"));
  const cells = [...table.matchAll(/^\| *`(.*)$/gm)].map(([row]) => row.slice(1).split(" | "));
  return cells.flatMap(([banned, where, instead, exceptions = ""]) => {
    const excepted = quoted(exceptions);
    const files = excepted.filter((text) => text.includes("/") || text.includes("."));
    const names = excepted.filter((text) => !files.includes(text));
    const row = { where: where.trim(), files, names, used: new Set() };
    const terms = instead.trim().split(", ");
    const texts = quoted(banned);
    const term = (i) => (terms.length === texts.length ? terms[i] : instead.trim());
    return texts.map((text, i) => ({ ...row, text, instead: term(i), words: text.toLowerCase().split(" ") }));
  });
}

const quoted = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** Pieces of a file: {text, at, kind}; kind is "text" or "names". */
function* pieces(file, content) {
  const language = LANGUAGE[extname(file)];
  if (language) {
    for (const match of content.matchAll(SYNTAX[language]))
      yield { text: match[0], at: match.index, kind: match[1] === undefined ? "names" : "text" };
    return;
  }
  let end = 0;
  for (const match of content.matchAll(SYNTAX.document)) {
    yield { text: content.slice(end, match.index), at: end, kind: "text" };
    yield { text: match[0], at: match.index, kind: "names" };
    end = match.index + match[0].length;
  }
  yield { text: content.slice(end), at: end, kind: "text" };
}

/** The words of a text, with the name each is part of: openSlide, open_slide and "open slide" give the same two words. */
function wordsOf(text) {
  const words = [];
  for (const { 0: name, index } of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    for (const part of name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g))
      words.push({ word: part[0].toLowerCase(), name, at: index + part.index });
  }
  return words;
}

function found(row, words, i) {
  if (!row.words.every((word, k) => words[i + k]?.word === word)) return false;
  return row.where !== "whole names" || words[i].name === row.text;
}

const applies = (row, kind) =>
  row.where === "everywhere" || row.where === kind || (row.where === "whole names" && kind === "names");

/** True if an exception of the row covers the word; remembers which, so that those of no use can be named. */
function excepted(row, file, name) {
  const path = row.files.find(
    (prefix) => file === prefix || file.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`),
  );
  const exception = path ?? row.names.find((allowed) => allowed === name);
  if (exception) row.used.add(exception);
  return exception !== undefined;
}

/** Every use of a banned word in a file and in its name: {file, line, word, name, instead}. `rows`: the table's rows by their first word. */
export function violations(rows, file, content) {
  const result = [];
  const look = (text, kind, lineAt) => {
    const words = wordsOf(text);
    words.forEach(({ word, name, at }, i) => {
      for (const row of rows.get(word) ?? []) {
        if (!applies(row, kind) || !found(row, words, i) || excepted(row, file, name)) continue;
        result.push({ file, line: lineAt(at), word: row.text, name, instead: row.instead });
      }
    });
  };
  look(basename(file).replace(/\.\w+$/, ""), "names", () => 0);
  let line = 1;
  let counted = 0;
  for (const piece of pieces(file, content)) {
    look(piece.text, piece.kind, (offset) => {
      for (; counted < piece.at + offset; counted++) if (content[counted] === "\n") line++;
      return line;
    });
  }
  return result;
}

function trackedFiles() {
  const list = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  return list.split("\0").filter((file) => CHECKED.test(file) && !SKIPPED.test(file) && existsSync(at(file)));
}

const say = ({ file, line, word, name, instead }) =>
  `${file}${line ? `:${line}` : ""}: "${word}"${name.toLowerCase() === word ? "" : ` in ${name}`}; use: ${instead}`;

function main(args) {
  const find = args[0] === "--find";
  const table = readTable(readFileSync(at(GLOSSARY), "utf8"));
  const asked = args.slice(1).map((text) => ({
    text,
    words: text.split(" "),
    where: "everywhere",
    instead: "?",
    files: [],
    names: [],
    used: new Set(),
  }));
  const rows = find ? asked : table;
  const byFirst = new Map(rows.map(({ words }) => [words[0], rows.filter((row) => row.words[0] === words[0])]));
  const files = find || !args.length ? trackedFiles() : args;
  const read = (file) => readFileSync(isAbsolute(file) ? file : at(file), "utf8");
  const complaints = files.flatMap((file) => violations(byFirst, file, read(file))).map(say);
  if (!args.length) complaints.push(...uselessExceptions(rows));
  for (const text of complaints) console.error(text);
  return complaints.length ? 1 : 0;
}

function uselessExceptions(rows) {
  return [...new Set(rows.map((row) => row.used))].flatMap((used) => {
    const row = rows.find((candidate) => candidate.used === used);
    return [...row.files, ...row.names]
      .filter((text) => !used.has(text))
      .map((text) => `${GLOSSARY}: "${row.text}" needs no exception for ${text}`);
  });
}

if (process.argv[1]?.endsWith("checks/words.mjs")) process.exitCode = main(process.argv.slice(2));
