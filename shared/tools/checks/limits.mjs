// Limits that can be measured: lines of a file, parameters of a C function; and shared/ imports neither side. A file is as long as its
// idea: above WARN_LINES this says so, above MAX_LINES it fails.
// Ruff counts the parameters of Python (PLR0913), ESLint those of TypeScript (max-params). usage: node limits.mjs [ROOT]
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { root } from "../repository.mjs";

const WARN_LINES = 400;
const MAX_LINES = 600;
const MAX_C_PARAMETERS = 8;

const CODE = /\.(py|ts|tsx|mjs|c|h|java)$/;
const GENERATED = /(^|\/)generated\/|^shared\/kernel\/src\/tables\.c$/;
const OTHER_SIDE = /^(backend|frontend|e2e)\//;

const place = process.argv[2] ?? root;
const complaints = [];
const read = (file) => readFileSync(join(place, file), "utf8");

function checkLines(file) {
  const lines = read(file).split("\n").length - 1;
  if (lines > MAX_LINES) complaints.push(`${file}: ${lines} lines, the limit is ${MAX_LINES}`);
  else if (lines > WARN_LINES) console.log(`${file}: ${lines} lines: is it still one idea?`);
}

/** C without comments, strings and preprocessor lines; what stands in extern "C" counts as the top level. */
function bareC(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, " ")
    .replace(/^[ \t]*#(?:.*\\\n)*.*/gm, "")
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""')
    .replace(/extern\s+""\s*\{/g, "");
}

/** Every function that is declared or defined at the top level: its name and how many parameters it has. */
function cFunctions(text) {
  const code = bareC(text);
  const found = [];
  let braces = 0;
  for (let i = 0; i < code.length; i++) {
    if (code[i] === "{") braces++;
    else if (code[i] === "}") braces = Math.max(0, braces - 1);
    if (code[i] !== "(" || braces > 0) continue;
    const name = /(\w+)\s*$/.exec(code.slice(0, i))?.[1];
    const start = i;
    let parameters = 1;
    for (let depth = 0; i < code.length; i++) {
      if (code[i] === "(") depth++;
      else if (code[i] === ")" && --depth === 0) break;
      else if (code[i] === "," && depth === 1) parameters++;
    }
    if (name && code.slice(start + 1, i).trim()) found.push({ name, parameters });
  }
  return found;
}

function checkC(file) {
  for (const { name, parameters } of cFunctions(read(file)))
    if (parameters > MAX_C_PARAMETERS)
      complaints.push(`${file}: ${name} has ${parameters} parameters, the limit is ${MAX_C_PARAMETERS}`);
}

/** No file of shared/ imports one of either side. Packages that stand in their node_modules are not theirs. */
function checkShared(file) {
  const text = read(file);
  const complain = (what) => complaints.push(`${file} imports ${what}: shared/ imports neither backend nor frontend`);
  if (file.endsWith(".py"))
    for (const [line] of text.matchAll(/^\s*(?:from|import)\s+wavescope\b.*/gm)) complain(line.trim());
  const paths = file.endsWith(".mjs")
    ? /\b(?:from|import|import\(|require\()\s*["'`]([^"'`]+)["'`]/g
    : /^\s*#\s*include\s+"([^"]+)"/gm;
  for (const [, path] of /\.(mjs|c|h)$/.test(file) ? text.matchAll(paths) : [])
    if (OTHER_SIDE.test(path.startsWith(".") ? normalize(join(dirname(file), path)) : path)) complain(path);
}

const listed = execFileSync("git", ["ls-files", "-z"], { cwd: place, encoding: "utf8" }).split("\0");
const written = listed.filter((file) => file && !GENERATED.test(file) && existsSync(join(place, file)));
const files = written.filter((file) => CODE.test(file));
for (const file of files) {
  checkLines(file);
  if (/\.[ch]$/.test(file)) checkC(file);
  if (file.startsWith("shared/")) checkShared(file);
}
for (const file of written) if (file.endsWith(".css")) checkLines(file);
for (const text of complaints) console.error(text);
process.exitCode = complaints.length ? 1 : 0;
