// Decodes the tile that kernel.py wrote, by the browser's own binding of the kernel, and prints megapixels a second.
// usage: node kernel.mjs FOLDER ROUNDS SIDE, the side of the tile
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder, rounds] = process.argv.slice(2);
const side = Number(process.argv[4]);
const { loadKernel } = await binding();
const kernel = await loadKernel(readFileSync(join(root, "shared/kernel/build/kernel.wasm")));

const parent = kernel.decodeApproximation(blockOf("approximation"));
const block = blockOf("block");
const decode = () => kernel.decodePixels(parent, block, { width: side, height: side });

for (let warm = 0; warm < 5; warm++) decode();
const seconds = Array.from({ length: Number(rounds) }, () => {
  const begin = performance.now();
  decode();
  return (performance.now() - begin) / 1000;
}).sort((a, b) => a - b);
console.log(JSON.stringify({ megapixels_per_second: side ** 2 / 1e6 / seconds[seconds.length >> 1] }));

/** The block of one name: its parameter set, and its layers as numbered files. */
function blockOf(name) {
  const parameters = kernel.readParameters(new Uint8Array(readFileSync(join(folder, `${name}.parameters`))));
  return { parameters, address: { z: 0, x: 0, y: 0 }, layers: layersOf(name) };
}

/** The numbered files of one name: the layers in their order. */
function layersOf(name) {
  const layers = [];
  for (let k = 0; existsSync(join(folder, `${name}.${k}`)); k++)
    layers.push(new Uint8Array(readFileSync(join(folder, `${name}.${k}`))));
  return layers;
}

/** frontend/core/src/codec/kernel.ts, built for Node by the frontend's own Vite. */
async function binding() {
  const require = createRequire(join(root, "frontend/package.json"));
  const { build } = await import(pathToFileURL(require.resolve("vite")).href);
  const outDir = join(folder, "binding");
  await build({
    root: join(root, "frontend"),
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: "core/src/codec/kernel.ts",
      outDir,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "kernel.mjs" } },
    },
  });
  return import(pathToFileURL(join(outDir, "kernel.mjs")).href);
}
