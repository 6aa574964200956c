import type { Plugin, Rolldown } from "vite";
import { brotli } from "./compressed.ts";

/** Bytes below which a chunk that several later parts share is joined to a similar one. */
const SMALL = 20_000;

/**
 * Few chunks: the libraries of the first load, which change seldom; the rest of it; and what later parts share. The bundler by itself
 * would make one for each set of modules with the same users: a hundred requests.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: "libraries", tags: ["$initial"], test: /\/node_modules\//, priority: 2 },
  { name: "first", tags: ["$initial"], priority: 1 },
  { name: "later", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SMALL },
];

/** What the page of a slide may fetch before its first tile, in kB (1000 bytes) with Brotli: script with that of the workers, style, page. */
const LIMIT = 236;

const COMPONENT = /\/@mantine\/core\/esm\/components\/(\w+)\//;
/** A component of Mantine that has no styles. */
const UNSTYLED = ["Transition"];

/** Writes what the first load is made of (first-load.json), and refuses a build in which it is too large or lacks styles (PG1, PG2). */
export function firstLoad(styles: readonly string[]): Plugin {
  return {
    name: "wavescope-first-load",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const names = firstFiles(bundle);
      const sizes = await Promise.all(names.map(async (name) => (await brotli(contentOf(bundle[name]))).length));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const files = Object.fromEntries(names.map((name, i) => [name, sizes[i]]));
      this.emitFile({ type: "asset", fileName: "first-load.json", source: JSON.stringify({ total, files }, null, 2) });
      if (total > LIMIT * 1000)
        this.error(`the first load is ${total} bytes with Brotli; ${LIMIT} kB are allowed (PG1)`);
      const missing = componentsOf(names.map((name) => bundle[name])).filter((name) => !styles.includes(name));
      if (missing.length) this.error(`add the styles of ${missing.join(", ")} to src/app/ui/firstStyles.ts (PG2)`);
    },
  };
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** The entry, the chunks that it imports, their styles, the workers and the page. */
function firstFiles(bundle: Readonly<Record<string, Output>>): string[] {
  const found = new Set(
    Object.keys(bundle).filter(
      (name) => /(^|\/)(index\.html|worker-[^/]*\.js)$/.test(name) && !name.startsWith("docs/"),
    ),
  );
  const open = Object.values(bundle).flatMap((one) => (one.type === "chunk" && one.isEntry ? [one.fileName] : []));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== "chunk") continue;
    found.add(name);
    open.push(...chunk.imports);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  }
  return [...found].sort();
}

const contentOf = (output: Output): Buffer => Buffer.from(output.type === "chunk" ? output.code : output.source);

function componentsOf(outputs: readonly Output[]): string[] {
  const modules = outputs.flatMap((one) => (one.type === "chunk" ? Object.entries(one.modules) : []));
  const used = modules.filter(([, { renderedLength }]) => renderedLength > 0);
  const names = used.flatMap(([id]) => COMPONENT.exec(id)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !UNSTYLED.includes(name));
}
