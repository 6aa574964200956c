import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { brotli } from "./compressed.ts";

/** What the first requests of a slide need. */
const BEGIN = fileURLToPath(new URL("../app/src/firstRequests.ts", import.meta.url));

type Context = Parameters<Exclude<Rolldown.CodeSplittingGroup["name"], string>>[1];

const begun = new Set<string>();

/** Whether a module is, or is imported by, what makes the first requests. */
function isOfBegin(id: string, context: Context): boolean {
  if (begun.size === 0) begun.add(BEGIN);
  for (const one of begun) for (const next of context.getModuleInfo(one)?.importedIds ?? []) begun.add(next);
  return begun.has(id);
}

/**
 * Few chunks, in layers that import only those below: the entry with what the first requests of a slide need; libraries of the first load,
 * the rest of it; libraries of later parts, the code that later parts share, and one chunk for each part. The bundler by itself would make
 * one for each set of modules with the same users, a hundred requests; when it joins small ones by their users, chunks import each other,
 * and run before what they need.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: (id, context) => (isOfBegin(id, context) ? "begin" : null), debugName: "begin", priority: 5 },
  { name: "libraries", tags: ["$initial"], test: /\/node_modules\//, priority: 4 },
  { name: "first", tags: ["$initial"], test: /\.(?!html$)\w+$/, priority: 3 },
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
    transformIndexHtml: { order: "post", handler: beginFirst },
    async generateBundle(_options, bundle) {
      const names = firstFiles(bundle);
      const sizes = await Promise.all(names.map(async (name) => (await brotli(contentOf(bundle[name]!))).length));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const files = Object.fromEntries(names.map((name, i) => [name, sizes[i]]));
      this.emitFile({ type: "asset", fileName: "first-load.json", source: JSON.stringify({ total, files }, null, 2) });
      if (total > LIMIT * 1000)
        this.error(`the first load is ${total} bytes with Brotli; ${LIMIT} kB are allowed (PG1)`);
      const cycle = cycleOf(bundle);
      if (cycle) this.error(`the chunks ${cycle.join(", ")} import each other (PG6)`);
      const missing = componentsOf(names.map((name) => bundle[name]!)).filter((name) => !styles.includes(name));
      if (missing.length)
        this.error(`add the styles of ${missing.join(", ")} to app/src/ui/later/firstStyles.ts (PG2)`);
    },
  };
}

/** The script of the first requests is a script of its own, before all others (PG8): it runs while they are on their way. */
function beginFirst(page: string): string {
  const [script] = /^ *<script [^>]*src="\/assets\/begin-[^>]*><\/script>\n/m.exec(page) ?? [];
  if (!script) throw new Error("the page has no script of its own for the first requests (PG8)");
  return page.replace(script, "").replace(/^ *<script /m, (first) => script + first);
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** The page with what it names, the chunks that those import, their styles, and the workers. */
function firstFiles(bundle: Readonly<Record<string, Output>>): string[] {
  const workers = Object.keys(bundle).filter((name) => /^assets\/worker-[^/]*\.js$/.test(name));
  const found = new Set(["index.html", ...workers]);
  const open = filesNamedBy(String(contentOf(bundle["index.html"]!)));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = bundle[name];
    if (found.has(name) || !chunk) continue;
    found.add(name);
    if (chunk.type !== "chunk") continue;
    open.push(...chunk.imports);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  }
  return [...found].sort();
}

const filesNamedBy = (page: string): string[] => [...page.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, name]) => name!);

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
