// The npm package from its archive alone: what is in it, its types, what bundlers leave out, and the codec in Node (shared/spec/static.md).
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { address } from "../harness/microscope.ts";
import { type Packed, copyPackage, installPackage } from "../harness/npmPackage.ts";
import { ROOT, removeFolder, temporaryFolder } from "../harness/service.ts";
import { expect, pageless as test } from "../harness/test.ts";

let project: string;
let packed: Packed;

test.beforeAll(() => {
  project = temporaryFolder();
  packed = installPackage(project);
});

test.afterAll(() => removeFolder(project));

test("the archive has modules, types, the kernel and the licences, and nothing else (SH24)", () => {
  const outside = packed.files.filter((path) => !path.startsWith("parts/"));
  const texts = ["LICENSE", "NOTICES.txt", "README.md", "package.json"];
  const modules = ["create.mjs", "index.d.ts", "index.js", "kernel.d.ts", "kernel.js", "kernel.wasm"];
  expect(outside.sort()).toEqual([...texts, ...modules].sort());
  expect(packed.files.filter((path) => !/\.(m?js|wasm|d\.ts|md|txt|json)$|^LICENSE$/.test(path))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(ROOT, "frontend/package.json"), "utf8")) as { version: string };
  expect(packed.version).toBe(version);
  expect(packed.bytes).toBeLessThan(400_000);
  const notices = readFileSync(join(packed.folder, "NOTICES.txt"), "utf8");
  expect(notices).toMatch(/^openseadragon 6\S* \(BSD-3-Clause\)$/m);
});

/** The block of code of the package's README that has `text` in it. */
function exampleWith(text: string): string {
  const blocks = readFileSync(join(packed.folder, "README.md"), "utf8").matchAll(/^```\w+\n(.*?)^```$/gms);
  return [...blocks].map(([, code]) => code!).find((code) => code.includes(text))!;
}

test("the example of the README decodes a tile in Node as the service shows it (SH24)", async () => {
  const code = exampleWith("wavescope/kernel");
  expect(code.split("\n").length).toBeLessThanOrEqual(20);
  writeFileSync(join(project, "tile.mjs"), code);
  for (const [level, x, y] of [
    [0, 11, 9],
    [1, 2, 1],
    [4, 0, 0],
  ]) {
    const args = ["tile.mjs", address(), SLIDES.specimen, level, x, y].map(String);
    execFileSync("node", args, { cwd: project });
    const answer = await fetch(`${address()}/api/v1/slides/${SLIDES.specimen}/tiles/0/${level}/${x}/${y}.png`);
    const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    expect(Buffer.compare(readFileSync(join(project, "tile.rgba")), data), `${level}/${x}/${y}`).toBe(0);
  }
  const nowhere = ["tile.mjs", address(), SLIDES.specimen, "0", "99", "0"];
  expect(() => execFileSync("node", nowhere, { cwd: project, stdio: "pipe" })).toThrow(/RangeError/);
});

test("the module is imported where there is no document (SH24)", () => {
  const code = `import("wavescope").then((all) => console.log(Object.keys(all).sort().join()))`;
  const said = execFileSync("node", ["-e", code], { cwd: project, encoding: "utf8" });
  expect(said.trim()).toBe("WavescopeViewer,defineViewer,openSlide,tileSourceOf");
});

const PAGE = `import { type View, type WavescopeViewer, defineViewer, openSlide } from "wavescope";
import { CodecError, decodeTile, loadKernel } from "wavescope/kernel";

defineViewer();
const slide = await openSlide("/slide.wsz");
const { rgba, width, height } = await slide.tile({ level: 0, x: 1, y: 2 }, 1);
new ImageData(rgba, width, height);
const viewer = document.createElement("wavescope-viewer");
const found: WavescopeViewer | null = document.querySelector("wavescope-viewer");
const view: View | null = (found ?? viewer).view;
viewer.show({ scale: view!.scale / 2 });
const kernel = await loadKernel(await WebAssembly.compile(new Uint8Array(8)));
const part = { levels: 1, sizes: [{ width, height }], parameters: [["00"]] };
const tile = await decodeTile(kernel, part, { level: 0, x: 0, y: 0, plane: 0 }, async () => new Uint8Array());
new ImageData(tile.rgba, tile.width, tile.height);
const codes: string[] = [new CodecError("kind", "decodeTile").code];
// @ts-expect-error a tile has a level
await slide.tile({ x: codes.length, y: 2 });
`;
const OPENSEADRAGON = `import OpenSeadragon from "openseadragon";
import { openSlide, tileSourceOf } from "wavescope";

const source: OpenSeadragon.TileSource = tileSourceOf(OpenSeadragon, await openSlide("/slide.wsz"), 1);
OpenSeadragon({ id: "viewer", tileSources: [source] });
`;
const REACT = `import { type ReactElement, useRef } from "react";
import type { WavescopeViewer } from "wavescope";

export function Viewer({ src }: { src: string }): ReactElement {
  const viewer = useRef<WavescopeViewer>(null);
  return <wavescope-viewer ref={viewer} src={src} plane={1} style={{ height: 500 }} />;
}
// @ts-expect-error src is a text
export const wrong = <wavescope-viewer src={3} />;
`;
const NODE = `import { readFile } from "node:fs/promises";
import { loadKernel } from "wavescope/kernel";

export const kernel = await loadKernel(await readFile("kernel.wasm"));
`;
const BROWSER = ["--lib", "es2023,dom"];

/** A project: its file, what else is installed there, and the options of its compiler. */
const PROJECTS = {
  "a page": ["page.ts", PAGE, [], BROWSER],
  "a page with OpenSeadragon": ["page.ts", OPENSEADRAGON, ["openseadragon"], BROWSER],
  React: ["page.tsx", REACT, ["@types/react", "csstype"], [...BROWSER, "--jsx", "react-jsx"]],
  Node: ["tile.ts", NODE, ["@types/node", "undici-types"], ["--lib", "es2023", "--types", "node"]],
} as const;

for (const compiler of ["typescript-5.6", "typescript", "typescript-7"])
  for (const [name, [file, code, others, options]] of Object.entries(PROJECTS))
    test(`the types serve a strict project of ${name} with ${compiler} (SH24)`, () => {
      const folder = temporaryFolder();
      try {
        copyPackage(packed, folder);
        for (const other of others) {
          const place = join(folder, "node_modules", other);
          mkdirSync(dirname(place), { recursive: true });
          symlinkSync(join(ROOT, "frontend/node_modules", other), place);
        }
        writeFileSync(join(folder, file), code);
        const strict = "--noEmit --strict --module nodenext --target es2022".split(" ");
        const args = [join(ROOT, "e2e/node_modules", compiler, "bin/tsc"), ...strict, ...options, file];
        const { stdout, stderr, status } = spawnSync("node", args, { cwd: folder, encoding: "utf8" });
        expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
      } finally {
        removeFolder(folder);
      }
    });

interface Built {
  readonly output: {
    readonly type: string;
    readonly fileName: string;
    readonly code?: string;
    readonly isEntry?: boolean;
  }[];
}

/** Chunks of a page that a bundler makes of `code`: what it loads at once, and all. */
async function bundle(code: string): Promise<{ first: string; all: string }> {
  const file = join(project, "page.js");
  writeFileSync(file, code);
  const vite = (await import(pathToFileURL(join(ROOT, "frontend/node_modules/vite/dist/node/index.js")).href)) as {
    build(config: object): Promise<Built>;
  };
  const { output } = await vite.build({
    configFile: false,
    logLevel: "error",
    root: project,
    worker: { format: "es" },
    build: { write: false, minify: false, assetsInlineLimit: 0, rolldownOptions: { input: file } },
  });
  const chunks = output.filter(({ type }) => type === "chunk");
  const text = (some: Built["output"]): string => some.map((chunk) => chunk.code).join("\n");
  return { first: text(chunks.filter(({ isEntry }) => isEntry)), all: text(chunks) };
}

test("a bundler leaves out what a page does not import (SH24)", async () => {
  const kernel = await bundle(`import { loadKernel } from "wavescope/kernel"; console.log(loadKernel);`);
  expect(kernel.all.length).toBeLessThan(15_000);
  const slide = await bundle(`import { openSlide } from "wavescope"; console.log(openSlide);`);
  expect(slide.all).not.toContain("OpenSeadragon");
  expect(slide.all).not.toContain("wavescope-viewer");
  const viewer = await bundle(`import { defineViewer } from "wavescope"; defineViewer();`);
  expect(viewer.first).not.toContain("OpenSeadragon");
  expect(viewer.all).toContain("OpenSeadragon");
  const nothing = await bundle(`import "wavescope"; console.log(1);`);
  expect(nothing.first.length).toBeLessThan(1_000);
});
