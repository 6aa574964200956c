import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { brotli } from "./compressed.ts";

const moduleAt = (path: string): string => fileURLToPath(new URL(`../app/src/${path}`, import.meta.url));
/** What the first requests of a slide need. */
const BEGIN = moduleAt("firstRequests.ts");
const MAIN = moduleAt("main.tsx");
const SLIDE = moduleAt("slide/page/SlidePage.tsx");
const GALLERY = moduleAt("gallery/GalleryPage.tsx");

type Context = Parameters<Exclude<Rolldown.CodeSplittingGroup["name"], string>>[1];

/** A module that only names those of its package. */
const INDEX =
  /\/node_modules\/(@(?:mantine|tabler|tanstack)\/[^/]+)\/(?:(?:dist\/)?esm|build\/modern)\/(?:index|tabler-icons-react)\.m?js$/;

/** Whether a module is this one, or is imported by it; of a package's index those whose names are imported. */
function isOf(root: string): (id: string, context: Context) => boolean {
  const found = new Set<string>();
  return (id, context) => {
    if (found.size === 0)
      for (const one of found.add(root)) for (const next of importedBy(one, context)) found.add(next);
    return found.has(id);
  };
}

function importedBy(id: string, context: Context): readonly string[] {
  const { importedIds = [], code } = context.getModuleInfo(id) ?? {};
  return importedIds.flatMap((next) => {
    const [, name] = INDEX.exec(next) ?? [];
    return name === undefined ? [next] : namesFrom(name, code ?? "").flatMap((one) => exportedAs(one, next, context));
  });
}

/** What a module imports by name from a package. */
function namesFrom(name: string, code: string): string[] {
  const imports = code.matchAll(new RegExp(`(?:import|export)\\s*\\{([^}]*)\\}\\s*from\\s*["']${name}["']`, "g"));
  return [...imports]
    .flatMap(([, names]) => names!.split(",").map((one) => one.trim().split(/\s+as\s+/)[0]!))
    .filter(Boolean);
}

const indexes = new Map<string, ReadonlyMap<string, string>>();

/** The module that an index has a name from, also by way of another index. */
function exportedAs(name: string, index: string, context: Context): string[] {
  const { code, importedIds } = context.getModuleInfo(index)!;
  const modules = indexes.get(index) ?? modulesOf(code ?? "", importedIds);
  indexes.set(index, modules);
  const found = modules.get(name);
  if (found !== undefined) return [found];
  return importedIds.filter((id) => INDEX.test(id)).flatMap((id) => exportedAs(name, id, context));
}

/** By name. */
function modulesOf(code: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const named = code.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["']/g);
  return new Map(
    Array.from(named, ([, names, path]) => ({
      names: names!.split(","),
      id: ids.find((one) => one.endsWith(`/${path!}`)),
    })).flatMap(({ names, id }) =>
      id === undefined
        ? []
        : names.map(
            (one) =>
              [
                one
                  .trim()
                  .split(/\s+as\s+/)
                  .at(-1)!,
                id,
              ] as const,
          ),
    ),
  );
}

const isOfBegin = isOf(BEGIN);
const isOfMain = isOf(MAIN);
const isOfSlide = isOf(SLIDE);
const isOfGallery = isOf(GALLERY);

/** What every page loads, and what both the slide and the gallery do. */
const isOfFirst = (id: string, context: Context): boolean =>
  isOfMain(id, context) || (isOfSlide(id, context) && isOfGallery(id, context));

const group = (name: string, has: (id: string, context: Context) => boolean, options: object) => ({
  name: (id: string, context: Context) => (has(id, context) ? name : null),
  debugName: name,
  ...options,
});

/**
 * Few chunks, in layers that import only those below: the entry with what the first requests of a slide need; libraries of every page, the
 * rest of what every page has; what the slide, and what the gallery shares with later parts; libraries of later parts, the code that later
 * parts share, and one chunk for each part. The bundler by itself would make one for each set of modules with the same users, a hundred
 * requests; when it joins small ones by their users, chunks import each other, and run before what they need.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  group("begin", isOfBegin, { priority: 5 }),
  group("libraries", isOfFirst, { test: /\/node_modules\/.*js$/, priority: 4 }),
  group("first", isOfFirst, { test: /\.(?!html$)\w+$/, priority: 3 }),
  group("slide", isOfSlide, { priority: 2.6 }),
  group("gallery", isOfGallery, { priority: 2.5 }),
  { name: "components", test: /\/node_modules\//, minShareCount: 2, priority: 2 },
  { name: "contract", test: /\/src\/wire\/generated\/later/, priority: 1 },
  { name: "later", minShareCount: 2 },
];

/**
 * In kB (1000 bytes) with Brotli: what the page of a slide may fetch before its first tile (script with that of the workers, style, page),
 * and what the gallery may before it shows its slides.
 */
const LIMITS = { slide: 200, gallery: 150 };

/** The names of a component's classes: a module that is there only where they are used. */
const CLASSES = /\/@mantine\/core\/esm\/components\/.*?(\w+)\.module\.mjs$/;

/** Components whose styles are in the first load of every page, and those of the two pages. */
interface Styled {
  readonly first: readonly string[];
  readonly slide: readonly string[];
  readonly gallery: readonly string[];
}

/**
 * Writes what the first load is made of (first-load.json), and refuses a build in which it is too large or lacks styles, or in which
 * chunks import each other (PG1, PG2, PG6).
 */
export function firstLoad(styles: Styled): Plugin {
  return {
    name: "wavescope-first-load",
    apply: "build",
    enforce: "post",
    transformIndexHtml: { order: "post", handler: beginFirst },
    async generateBundle(_options, bundle) {
      const names = firstFiles(bundle);
      const ofSlide = withPages(bundle, [SLIDE], names);
      const ofGallery = withPages(bundle, [GALLERY], names);
      const slide = await sized(bundle, [...ofSlide, ...workersOf(bundle)].sort());
      const gallery = await sized(bundle, ofGallery);
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
      for (const [files, own, list] of [
        [names, [], "ui/later/firstStyles.ts"],
        [ofSlide, styles.slide, "slide/page/styles.ts"],
        [ofGallery, styles.gallery, "gallery/styles.ts"],
      ] as const) {
        const known: readonly string[] = [...styles.first, ...own];
        const missing = componentsOf(files.map((name) => bundle[name]!)).filter((name) => !known.includes(name));
        if (missing.length) this.error(`add the styles of ${missing.join(", ")} to app/src/${list} (PG2)`);
      }
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

/** Those, and the chunks of modules that are fetched with them. */
function withPages(bundle: Bundle, modules: readonly string[], first: readonly string[]): string[] {
  const parts = Object.keys(bundle).filter((name) => {
    const one = bundle[name]!;
    return one.type === "chunk" && one.facadeModuleId !== null && modules.includes(one.facadeModuleId);
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
  const names = used.flatMap(([id]) => CLASSES.exec(id)?.[1] ?? []);
  return [...new Set(names)];
}
