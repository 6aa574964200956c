import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { brotli } from "./compressed.ts";

const moduleAt = (path: string): string => fileURLToPath(new URL(`../app/src/${path}`, import.meta.url));
/** What the first requests of a slide need. */
const BEGIN = moduleAt("firstRequests.ts");
const GALLERY = moduleAt("gallery/GalleryPage.tsx");
/** The styles of all components, which come with the first part that is loaded later. */
const STYLES = moduleAt("ui/later/laterStyles.ts");

type Context = Parameters<Exclude<Rolldown.CodeSplittingGroup["name"], string>>[1];

/** Whether a module is this one, or is imported by it. */
function isOf(root: string): (id: string, context: Context) => boolean {
  const found = new Set<string>();
  return (id, context) => {
    if (found.size === 0) found.add(root);
    for (const one of found) for (const next of context.getModuleInfo(one)?.importedIds ?? []) found.add(next);
    return found.has(id);
  };
}
const isOfBegin = isOf(BEGIN);
const isOfGallery = isOf(GALLERY);
const isOfStyles = isOf(STYLES);

/**
 * Few chunks, in layers that import only those below: the entry with what the first requests of a slide need; libraries of the first load,
 * the rest of it; what the gallery shares with later parts; libraries of later parts, the code that later parts share, and one chunk for each part. The bundler by itself would make
 * one for each set of modules with the same users, a hundred requests; when it joins small ones by their users, chunks import each other,
 * and run before what they need.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: (id, context) => (isOfBegin(id, context) ? "begin" : null), debugName: "begin", priority: 5 },
  { name: "libraries", tags: ["$initial"], test: /\/node_modules\//, priority: 4 },
  { name: "first", tags: ["$initial"], test: /\.(?!html$)\w+$/, priority: 3 },
  {
    name: (id, context) => (isOfGallery(id, context) || isOfStyles(id, context) ? "gallery" : null),
    minShareCount: 2,
    priority: 2.5,
  },
  { name: "components", test: /\/node_modules\//, minShareCount: 2, priority: 2 },
  { name: "contract", test: /\/src\/wire\/generated\//, priority: 1 },
  { name: "later", minShareCount: 2 },
];

/**
 * In kB (1000 bytes) with Brotli: what the page of a slide may fetch before its first tile (script with that of the workers, style, page),
 * and what the gallery may before it shows its slides.
 */
const LIMITS = { slide: 200, gallery: 365 };

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
      const slide = await sized(bundle, [...names, ...workersOf(bundle)].sort());
      const gallery = await sized(bundle, galleryFiles(bundle, names));
      const source = JSON.stringify({ ...slide, gallery }, null, 2);
      this.emitFile({ type: "asset", fileName: "first-load.json", source });
      for (const [page, total] of [
        ["slide", slide.total],
        ["gallery", gallery.total],
      ] as const)
        if (total > LIMITS[page] * 1000)
          this.error(
            `the first load of the page ${page} is ${total} bytes with Brotli; ${LIMITS[page]} kB are allowed (PG1)`,
          );
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

type Bundle = Readonly<Record<string, Output>>;

/** Bytes with Brotli of each of these files, and of all. */
async function sized(bundle: Bundle, names: readonly string[]) {
  const sizes = await Promise.all(names.map(async (name) => (await brotli(contentOf(bundle[name]!))).length));
  const files = Object.fromEntries(names.map((name, i) => [name, sizes[i]]));
  return { total: sizes.reduce((sum, size) => sum + size, 0), files };
}

const workersOf = (bundle: Bundle): string[] =>
  Object.keys(bundle).filter((name) => /^assets\/worker-[^/]*\.js$/.test(name));

/** The page with what it names. */
const firstFiles = (bundle: Bundle): string[] =>
  withImports(bundle, filesNamedBy(String(contentOf(bundle["index.html"]!))), ["index.html"]);

/** Those, the gallery, and the styles that come with it. */
function galleryFiles(bundle: Bundle, first: readonly string[]): string[] {
  const parts = Object.keys(bundle).filter((name) => {
    const one = bundle[name]!;
    return one.type === "chunk" && (one.facadeModuleId === GALLERY || one.facadeModuleId === STYLES);
  });
  return withImports(bundle, parts, first);
}

/** Files, the chunks that they import, and their styles, beside those that are known. */
function withImports(bundle: Bundle, names: readonly string[], known: readonly string[]): string[] {
  const found = new Set(known);
  const open = [...names];
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
function cycleOf(bundle: Bundle): string[] | null {
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
