import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const TEXTS = /^(licen[cs]e|copying|notice)/i;
/** Texts of packages that are published without theirs, from their repositories. */
const LICENCES = fileURLToPath(new URL("licences/", import.meta.url));

/** Writes `fileName`: the licences of the packages whose code is in the chunks. The build fails where a package has no text. */
export function notices(fileName: string): Plugin {
  return {
    name: "wavescope-notices",
    apply: "build",
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
      const folders = new Map(ids.flatMap((id) => nameAndFolder(id)));
      const source = [...folders]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, folder]) => noticeOf(name, folder) ?? this.error(`${name} has no text of its licence`))
        .join("\n\n");
      this.emitFile({ type: "asset", fileName, source: `${source}\n` });
    },
  };
}

/** Of the package that a module is of; the last one where packages are inside of each other. */
export function nameAndFolder(id: string): [string, string][] {
  const [, folder, name] = PACKAGE.exec(id) ?? [];
  return folder !== undefined && name !== undefined ? [[name, folder]] : [];
}

function noticeOf(name: string, folder: string): string | null {
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Record<string, string>;
  const files = readdirSync(folder).flatMap((file) => (TEXTS.test(file) ? [`${folder}/${file}`] : []));
  const kept = `${LICENCES}${name}.txt`;
  if (files.length === 0 && existsSync(kept)) files.push(kept);
  const texts = files.map((file) => readFileSync(file, "utf8").trim());
  if (texts.length === 0 && license !== "MIT" && license !== "ISC") return null;
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
}
