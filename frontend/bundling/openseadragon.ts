import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * Source files of OpenSeadragon that this page does not need: sources of other formats, drawers, buttons, navigator and reference strip
 * (see `openViewer`: one source, one drawer and no controls of its own). With each file: the names it defines that other files mention,
 * all of them where an option that this page does not set makes one, or where such an object would be recognised.
 */
export const UNUSED: Readonly<Record<string, readonly string[]>> = {
  "matrix3.js": [],
  "navigator.js": ["Navigator"],
  "dzitilesource.js": [],
  "iiiftilesource.js": [],
  "iiptilesource.js": [],
  "iristilesource.js": [],
  "osmtilesource.js": [],
  "tmstilesource.js": [],
  "zoomifytilesource.js": [],
  "legacytilesource.js": [],
  "imagetilesource.js": [],
  "tilesourcecollection.js": [],
  "button.js": ["Button"],
  "buttongroup.js": ["ButtonGroup"],
  "referencestrip.js": ["ReferenceStrip"],
  "displayrectangle.js": [],
  "overlay.js": ["Overlay"],
  "htmldrawer.js": ["HTMLDrawer"],
  "canvasdrawer.js": [],
  "webgldrawer.js": [],
};

const PACKAGED = /\/openseadragon\/build\/openseadragon\/openseadragon\.js$/;

/** The package is one script, its source files one after the other: the build leaves out those that are not used (PG7). */
export function usedOpenSeadragon(): Plugin {
  return {
    name: "wavescope-openseadragon",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!PACKAGED.test(id)) return null;
      const { sources, sourcesContent } = JSON.parse(readFileSync(`${id}.map`, "utf8")) as SourceMap;
      const files = new Map(sources.map((path, i) => [path.replace(/.*\//, ""), sourcesContent[i]!]));
      const used = withoutUnused(code, files, UNUSED);
      return typeof used === "string" ? this.error(used) : { code: used.code, map: null };
    },
  };
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
}

/** The script without the files in `unused`; a message where it is not the script that `unused` was written for. */
export function withoutUnused(
  script: string,
  files: ReadonlyMap<string, string>,
  unused: Readonly<Record<string, readonly string[]>>,
): { readonly code: string } | string {
  const parts = Object.entries(unused).map(([name, expected]) => ({
    name,
    expected,
    text: files.get(name)?.trim() ?? "",
  }));
  let code = script;
  for (const { name, text } of parts) {
    const [before, after, ...more] = text ? code.split(text) : [];
    if (before === undefined || after === undefined || more.length)
      return `OpenSeadragon's ${name} is not in its script once (PG7)`;
    code = before + after;
  }
  const rest = codeOnly(code);
  for (const { name, expected, text } of parts) {
    const mentioned = definedIn(text).filter((one) => isMentioned(one, rest));
    const changed = mentioned
      .filter((one) => !expected.includes(one))
      .concat(expected.filter((one) => !mentioned.includes(one)));
    if (changed.length)
      return `OpenSeadragon now uses ${changed.join(", ")} of ${name} otherwise: see bundling/openseadragon.ts (PG7)`;
  }
  return { code };
}

/** What a source file of OpenSeadragon adds to its namespace. */
export function definedIn(source: string): string[] {
  const found = codeOnly(source).matchAll(/^\s*(?:\$|OpenSeadragon)\.(\w+)\s*=|^\s*class (\w+)/gm);
  return [...new Set([...found].map(([, assigned, named]) => assigned ?? named!))];
}

const isMentioned = (name: string, code: string): boolean => new RegExp(`(\\$|OpenSeadragon)\\.${name}\\b`).test(code);

const codeOnly = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
