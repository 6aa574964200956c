import type { Plugin } from "vite";

const CATALOGUE = "/src/i18n/";
const PREFIX = "virtual:texts/";
const ADDRESS = /"([a-z]+)\.[A-Za-z0-9]+"/g;

/**
 * Texts come with the code that shows them: a module with the address of a text (`"session.end"`) imports the area of the
 * catalogue that it is in, and a chunk of the page has only the areas of its modules.
 */
export function textsByArea(areas: readonly string[]): Plugin {
  return {
    name: "wavescope-texts",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const area = id.slice(PREFIX.length + 1);
      return [
        `import { addTexts } from "${CATALOGUE}i18n.ts";`,
        `import texts from "${CATALOGUE}en/${area}.json";`,
        `addTexts("${area}", texts);`,
      ].join("\n");
    },
    transform(code, id) {
      const [path] = id.split("?");
      if (!/\/src\/.*\.tsx?$/.test(path) || /\/src\/i18n\/(?!.*\.test\.)/.test(path)) return null;
      const used = new Set([...code.matchAll(ADDRESS)].map(([, area]) => area).filter((area) => areas.includes(area)));
      // On the first line, so that line numbers do not change.
      return used.size
        ? { code: `${[...used].map((area) => `import "${PREFIX}${area}";`).join("")}${code}`, map: null }
        : null;
    },
  };
}
