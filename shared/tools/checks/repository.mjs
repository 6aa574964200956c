// Rules of the repository that no other tool checks: the lock covers what is declared, no lock names a registry, no file is heavy.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { at, projectVersion, root } from "../repository.mjs";

const MAX_BYTES = 1_500_000;
const TOP =
  /^(\.[^/]+(\/.*)?|package\.json|(frontend|backend|shared|e2e)\/.*|docker-compose\.yml|README\.md|LICENSE|CHANGELOG\.md)$/;

const complaints = [];
const complain = (text) => complaints.push(text);
const normal = (name) => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

function checkLock() {
  const lock = readFileSync(at("backend/requirements.lock"), "utf8");
  const pinned = new Set([...lock.matchAll(/^([A-Za-z0-9._-]+)==/gm)].map((match) => normal(match[1])));
  const project = readFileSync(at("backend/pyproject.toml"), "utf8");
  const lists = [...project.matchAll(/^(?:dependencies|dev) = \[\n([\s\S]*?)^\]/gm)];
  const declared = lists.flatMap((list) =>
    [...list[1].matchAll(/^\s*"([A-Za-z0-9._-]+)/gm)].map((match) => normal(match[1])),
  );
  if (!declared.length) complain("backend/pyproject.toml: no dependencies found; has its layout changed?");
  for (const name of declared) if (!pinned.has(name)) complain(`backend/requirements.lock lacks ${name}: npm run lock`);
}

/** The version is that of backend/pyproject.toml; a package that npm wants to have one repeats it. */
function checkVersion(file) {
  const version = JSON.parse(readFileSync(at(file), "utf8")).version;
  if (version !== undefined && version !== projectVersion())
    complain(`${file} has the version ${version}, backend/pyproject.toml has ${projectVersion()}`);
}

function checkNoRegistry(file) {
  if (/"resolved": "http|--index-url|--extra-index-url|^\s*https?:/m.test(readFileSync(at(file), "utf8")))
    complain(`${file} names a registry`);
}

function checkFile(file) {
  const path = at(file);
  if (!existsSync(path)) return; // removed, not yet committed
  if (!TOP.test(file)) complain(`${file}: not a thing of the top level`);
  if (statSync(path).size > MAX_BYTES) complain(`${file}: ${statSync(path).size} bytes`);
}

checkLock();
for (const folder of ["", "frontend/", "frontend/embed/", "e2e/"]) checkVersion(`${folder}package.json`);
for (const file of [
  "backend/requirements.lock",
  "backend/installer.lock",
  "shared/tools/docs/requirements.lock",
  "frontend/package-lock.json",
  "e2e/package-lock.json",
])
  checkNoRegistry(file);
for (const file of execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean))
  checkFile(file);
for (const text of complaints) console.error(text);
process.exitCode = complaints.length ? 1 : 0;
