// Decodes the tile that speed.py wrote, by the browser's own binding of the kernel and by openjph in turn. Prints medians of
// processor time in milliseconds. usage: node speed.mjs FOLDER SIDE
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROUNDS = 60;
const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder] = process.argv.slice(2);
const side = Number(process.argv[3]);
const require = createRequire(join(root, "frontend/package.json"));
const { loadKernel } = await binding();
const kernel = await loadKernel(readFileSync(join(root, "shared/kernel/build/kernel.wasm")));
const openjph = await require(join(dirname(require.resolve("@cornerstonejs/codec-openjph")), "openjphjs.js"))();
const htj2k = readFileSync(join(folder, "htj2k"));

const parent = kernel.decodeApproximation(blockOf("approximation"));
const block = blockOf("block");
const decoder = new openjph.HTJ2KDecoder();

const work = {
  ours: () => kernel.decodePixels(parent, block, { width: side, height: side }),
  openjph: decodeRgb,
  openjphToRgba: () => toRgba(decodeRgb()),
};
const taken = Object.fromEntries(Object.keys(work).map((name) => [name, []]));
for (let round = -20; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(work)) {
    const begin = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begin);
    if (round >= 0) taken[name].push((user + system) / 1000);
  }
const medians = Object.entries(taken).map(([name, times]) => [name, times.sort((a, b) => a - b)[ROUNDS >> 1]]);
console.log(JSON.stringify(Object.fromEntries(medians)));

function decodeRgb() {
  decoder.getEncodedBuffer(htj2k.length).set(htj2k);
  decoder.decode();
  return decoder.getDecodedBuffer();
}

function toRgba(rgb) {
  const rgba = new Uint8ClampedArray((rgb.length / 3) * 4).fill(255);
  for (let i = 0, j = 0; i < rgb.length; i += 3, j += 4) {
    rgba[j] = rgb[i];
    rgba[j + 1] = rgb[i + 1];
    rgba[j + 2] = rgb[i + 2];
  }
  return rgba;
}

/** The block of one name: its parameter set, and its layers as numbered files. */
function blockOf(name) {
  const parameters = kernel.readParameters(new Uint8Array(readFileSync(join(folder, `${name}.parameters`))));
  return { parameters, address: { z: 0, x: 0, y: 0 }, layers: layersOf(name) };
}

/** The numbered files of one name: the layers in their order. */
function layersOf(name) {
  const parts = [];
  for (let k = 0; existsSync(join(folder, `${name}.${k}`)); k++)
    parts.push(new Uint8Array(readFileSync(join(folder, `${name}.${k}`))));
  return parts;
}

/** frontend/core/src/codec/kernel.ts, built for Node by the frontend's own Vite. */
async function binding() {
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
