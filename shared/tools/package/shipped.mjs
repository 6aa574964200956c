// The npm packages whose code can be in the page: all that the page depends on, and those that its build adds.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Stop, at } from "../repository.mjs";

/** Swagger UI is the page /docs; the others leave a few lines in every page that they build. */
const FROM_THE_BUILD = ["swagger-ui-dist", "vite", "rolldown"];
const TEXTS = /^(licen[cs]e|copying|notice)|^swagger-ui-bundle\.js\.LICENSE/i;
/** What follows concerns packages that are inside of the build tool, not of the page. */
const OF_THE_TOOL = /^# Licenses of bundled dependencies[\s\S]*/m;

/** Sorted by name: {name, version, license, integrity, needs, texts}. A Stop names a package without a licence. */
export function shippedPackages(mit) {
  const lock = JSON.parse(readFileSync(at("frontend/package-lock.json"), "utf8")).packages;
  const found = Object.entries(lock)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link) // links are its own parts
    .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ""), entry }))
    .filter(
      ({ name, path, entry }) => isShipped(entry) || (FROM_THE_BUILD.includes(name) && path === `node_modules/${name}`),
    )
    .map((one) => describe(one, mit));
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What of others is in the page and no npm package: it is built from its sources (shared/openjpeg/README.md). */
export const builtLibraries = () => [
  {
    name: "openjpeg",
    version: "2.5.3",
    license: "BSD-2-Clause",
    file: "shared/openjpeg/openjpeg.wasm",
    texts: [readFileSync(at("shared/openjpeg/LICENCE.txt"), "utf8").trim()],
  },
];

const isShipped = ({ dev, devOptional, optional }) => !dev && !devOptional && !optional;

function describe({ path, name, entry }, mit) {
  const folder = at("frontend", path);
  if (!existsSync(folder)) throw new Stop(`${path} is not installed: npm run setup`);
  const own = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const license = entry.license ?? own.license;
  if (typeof license !== "string") throw new Stop(`${name} ${entry.version} states no licence.`);
  const needs = Object.keys(entry.dependencies ?? {});
  return {
    name,
    version: entry.version,
    license,
    integrity: entry.integrity,
    needs,
    texts: texts(folder, license, own, mit),
  };
}

/** A package that is published without its text has it from its repository, or, if it states MIT, the text that Zig has. */
function texts(folder, license, own, mit) {
  const files = readdirSync(folder).filter((file) => TEXTS.test(file) && !file.includes("es-bundle"));
  const found = files.map((file) => readFileSync(join(folder, file), "utf8").replace(OF_THE_TOOL, "").trim());
  if (found.length) return found;
  const kept = at("frontend/bundling/licences", `${own.name}.txt`);
  if (existsSync(kept)) return [readFileSync(kept, "utf8").trim()];
  if (license !== "MIT") throw new Stop(`${own.name} has no text of its licence ${license}.`);
  const author = typeof own.author === "string" ? own.author : own.author?.name;
  return [mit.replace("Zig contributors", author ?? `the authors of ${own.name}`)];
}
