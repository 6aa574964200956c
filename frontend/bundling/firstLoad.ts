import type { Plugin, Rolldown } from "vite";
import { brotli } from "./compressed.ts";

/**
 * Few chunks, in layers that import only those below: libraries of the first load, the rest of it; libraries of later parts, the code
 * that later parts share, and one chunk for each part. The bundler by itself would make one for each set of modules with the same users,
 * a hundred requests; when it joins small ones by their users, chunks import each other, and run before what they need.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: "libraries", tags: ["$initial"], test: /\/node_modules\//, priority: 4 },
  { name: "first", tags: ["$initial"], priority: 3 },
  { name: "components", test: /\/node_modules\//, minShareCount: 2, priority: 2 },
  { name: "contract", test: /\/src\/wire\/generated\//, priority: 1 },
  { name: "later", minShareCount: 2 },
];

/** What the page of a slide may fetch before its first tile, in kB (1000 bytes) with Brotli: script with that of the workers, style, page. */
const LIMIT = 200;

const COMPONENT = /\/@mantine\/core\/esm\/components\/(\w+)\//;
/** A component of Mantine that has no styles. */
const UNSTYLED = ["Transition"];

/**
 * Writes what the first load is made of (first-load.json), and refuses a build in which it is too large or lacks styles, or in which
 * chunks import each other (PG1, PG2, PG6).
 */
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
      const cycle = cycleOf(bundle);
      if (cycle) this.error(`the chunks ${cycle.join(", ")} import each other (PG6)`);
      const missing = componentsOf(names.map((name) => bundle[name])).filter((name) => !styles.includes(name));
      if (missing.length)
        this.error(`add the styles of ${missing.join(", ")} to src/app/ui/later/firstStyles.ts (PG2)`);
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

/** Chunks that import each other; null where there are none. */
function cycleOf(bundle: Readonly<Record<string, Output>>): string[] | null {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] | null => {
    if (path.includes(name)) return path.slice(path.indexOf(name));
    if (done.has(name)) return null;
    const chunk = bundle[name];
    const imports = chunk?.type === "chunk" ? chunk.imports : [];
    for (const next of imports) {
      const cycle = visit(next, [...path, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return null;
  };
  for (const name of Object.keys(bundle)) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return null;
}

const contentOf = (output: Output): Buffer => Buffer.from(output.type === "chunk" ? output.code : output.source);

function componentsOf(outputs: readonly Output[]): string[] {
  const modules = outputs.flatMap((one) => (one.type === "chunk" ? Object.entries(one.modules) : []));
  const used = modules.filter(([, { renderedLength }]) => renderedLength > 0);
  const names = used.flatMap(([id]) => COMPONENT.exec(id)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !UNSTYLED.includes(name));
}
