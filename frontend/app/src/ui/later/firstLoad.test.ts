import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { firstLoad } from "../../../../bundling/firstLoad";

const chunk = (fileName: string, change: object = {}) => ({
  type: "chunk",
  fileName,
  imports: [],
  modules: {},
  code: "let x",
  ...change,
});

/** What the plugin says of a build: the names of the first load, and what it refuses. */
async function judged(
  chunks: readonly ReturnType<typeof chunk>[],
): Promise<{ files: string[]; gallery: string[]; refused: string[] }> {
  const context = { emitFile: vi.fn<(file: { source: string }) => void>(), error: vi.fn() };
  const plugin = firstLoad({ first: ["Button"], slide: ["Badge"], gallery: ["Input"] });
  const page = chunk("index.html", { code: '<script src="/assets/index.js"></script>' });
  const bundle = Object.fromEntries([page, ...chunks].map((one) => [one.fileName, one]));
  await (plugin.generateBundle as (this: object, options: object, bundle: object) => Promise<void>).call(
    context,
    {},
    bundle,
  );
  const { files, gallery } = JSON.parse(context.emitFile.mock.calls[0]![0].source) as {
    files: object;
    gallery: { files: object };
  };
  return {
    files: Object.keys(files),
    gallery: Object.keys(gallery.files),
    refused: context.error.mock.calls.map(([text]) => text as string),
  };
}

const component = (name: string) => ({
  [`/x/node_modules/@mantine/core/esm/components/${name}/${name}.module.mjs`]: { renderedLength: 9 },
});

it("counts the page, the scripts that it names, what they import, their styles and the workers, and no later chunk (PG1)", async () => {
  const { files, refused } = await judged([
    chunk("assets/index.js", { imports: ["first.js"], modules: component("Button") }),
    chunk("first.js", { viteMetadata: { importedCss: new Set(["first.css"]) } }),
    chunk("first.css"),
    chunk("assets/worker-1.js"),
    chunk("later.js"),
  ]);
  expect(files).toEqual(["assets/index.js", "assets/worker-1.js", "first.css", "first.js", "index.html"]);
  expect(refused).toEqual([]);
});

const moduleOf = (path: string) => ({ facadeModuleId: fileURLToPath(new URL(`../../${path}`, import.meta.url)) });
const noise = (length: number): string => Array.from({ length }, (_, i) => Math.imul(i, 2654435761) >>> 0).join();

it("counts the code of the slide with the slide, that of the gallery with the gallery, and refuses too much (PG1)", async () => {
  const parts = (code: string) => [
    chunk("assets/index.js"),
    chunk("assets/worker-1.js"),
    chunk("assets/gallery.js", { ...moduleOf("gallery/GalleryPage.tsx"), imports: ["assets/index.js", "shared.js"] }),
    chunk("shared.js", { code, viteMetadata: { importedCss: new Set(["a.css"]) } }),
    chunk("a.css"),
    chunk("assets/slide.js", { ...moduleOf("slide/page/SlidePage.tsx"), imports: ["assets/index.js"] }),
    chunk("panel.js"),
  ];
  const small = await judged(parts("let x"));
  expect(small.gallery.sort()).toEqual(["a.css", "assets/gallery.js", "assets/index.js", "index.html", "shared.js"]);
  expect(small.files.sort()).toEqual(["assets/index.js", "assets/slide.js", "assets/worker-1.js", "index.html"]);
  expect(small.refused).toEqual([]);
  expect((await judged(parts(noise(40_000)))).refused).toEqual([expect.stringContaining("the page gallery")]);
});

it("refuses a first load that is too large (PG1)", async () => {
  expect((await judged([chunk("assets/index.js", { code: noise(50_000) })])).refused).toEqual([
    expect.stringContaining("are allowed"),
  ]);
});

it("refuses a first load with a component whose styles come later, also where another page has them (PG2)", async () => {
  const { refused } = await judged([
    chunk("assets/index.js", { modules: component("Modal") }),
    chunk("gallery.js", { ...moduleOf("gallery/GalleryPage.tsx"), modules: component("Badge") }),
    chunk("slide.js", { ...moduleOf("slide/page/SlidePage.tsx"), modules: component("Badge") }),
  ]);
  expect(refused).toHaveLength(3);
  expect(refused[0]).toContain("Modal to app/src/ui/later/firstStyles.ts");
  expect(refused[2]).toContain("Badge to app/src/gallery/styles.ts");
});

it("refuses chunks that import each other: one would run before what it needs (PG6)", async () => {
  const { refused } = await judged([
    chunk("assets/index.js", { imports: ["a.js"] }),
    chunk("a.js", { imports: ["b.js"] }),
    chunk("b.js", { imports: ["a.js"] }),
  ]);
  expect(refused).toEqual([expect.stringContaining("a.js, b.js")]);
});

it("puts the script of the first requests before all others, and refuses a page without one (PG8)", () => {
  const { handler } = firstLoad({ first: [], slide: [], gallery: [] }).transformIndexHtml as {
    handler: (page: string) => string;
  };
  const script = (name: string) => `  <script async type="module" src="/assets/${name}-1.js"></script>\n`;
  expect(handler(script("libraries") + script("begin") + script("first"))).toBe(
    script("begin") + script("libraries") + script("first"),
  );
  expect(() => handler(script("index"))).toThrow("PG8");
});
