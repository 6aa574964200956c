import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const CATALOGUE = fileURLToPath(new URL("../core/src/i18n/", import.meta.url));
const PREFIX = "virtual:texts/";
const ADDRESS = /"([a-z]+)\.([A-Za-z0-9-]+)"/g;

export type Texts = Readonly<Record<string, string>>;

/**
 * English texts come with the code that shows them: a module with the address of a text (`"session.end"`) imports it. In a build this is a
 * module for each text, so that a chunk of the page has only what its modules name; elsewhere one for each area of the catalogue: hundreds
 * of modules would slow down every test. A build stores each text by its whole address, which the code repeats: it compresses well.
 */
export function textsWithCode(): Plugin {
  const areas = new Map(areasOf("en").map((area) => [area, textsIn("en", area)]));
  let single = false;
  return {
    name: "wavescope-texts",
    enforce: "pre",
    configResolved: ({ command }) => void (single = command === "build"),
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const [area, key] = id.slice(PREFIX.length + 1).split(".") as [string, string?];
      const begin = `import { addText } from ${JSON.stringify(`${CATALOGUE}i18n.ts`)};\n`;
      if (key === undefined)
        return `${begin}import texts from ${JSON.stringify(`${CATALOGUE}en/${area}.json`)};
for (const [key, text] of Object.entries(texts)) addText(\`${area}.\${key}\`, text);`;
      const forms = Object.entries(formsOf(key, areas.get(area)) ?? {});
      return begin + forms.map(([form, text]) => `addText("${area}.${form}", ${JSON.stringify(text)});`).join("\n");
    },
    transform(code, id) {
      const path = id.replace(/\?.*/, "");
      if (!/\/src\/.*\.tsx?$/.test(path) || /\/src\/i18n\/(?!.*\.test\.)/.test(path)) return null;
      const addresses = Array.from(code.matchAll(ADDRESS), ([, area, key]) => [area!, key!] as const);
      const named = addresses.filter(([area]) => areas.has(area));
      const alone = (area: string): boolean => single || area === "problems" || area === "actions"; // English has only those that are named (LG5)
      const texts = named.filter(([area, key]) => !alone(area) || formsOf(key, areas.get(area)));
      const used = new Set(texts.map(([area, key]) => (alone(area) ? `${area}.${key}` : area)));
      // On the first line, so that line numbers do not change.
      return used.size
        ? { code: `${[...used].map((one) => `import "${PREFIX}${one}";`).join("")}${code}`, map: null }
        : null;
    },
  };
}

/** A file for each area. */
export const areasOf = (language: string): string[] =>
  readdirSync(CATALOGUE + language).map((file) => file.replace(/\.json$/, ""));

/** The texts of an area, by key. */
export const textsIn = (language: string, area: string): Texts =>
  JSON.parse(readFileSync(`${CATALOGUE}${language}/${area}.json`, "utf8")) as Texts;

/** A text, or its singular and plural, by key; null where the area has none of this key. */
function formsOf(key: string, texts: Texts = {}): Texts | null {
  const keys = [key, `${key}_one`, `${key}_other`].filter((one) => Object.hasOwn(texts, one));
  return keys.length ? Object.fromEntries(keys.map((one) => [one, texts[one]!])) : null;
}
