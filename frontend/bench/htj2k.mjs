// Decodes the picture that kernel.py wrote, by the browser's own binding of the kernel and, in turn, by the WASM of OpenJPH and OpenHTJ2K.
// Prints medians of wall time in milliseconds; of what is missing nothing. usage: node htj2k.mjs FOLDER SIDE ROUNDS [OPENHTJ2K]
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const TILE = 256;
const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(join(root, "frontend/package.json"));

if (isMainThread) await compare(process.argv[2], Number(process.argv[3]), Number(process.argv[4]), process.argv[5]);
else await decodeShare(workerData);

async function compare(folder, side, rounds, openhtj2k) {
  const stream = readFileSync(join(folder, "htj2k"));
  const module = await binding(folder);
  const tiles = await readTiles(folder, module);
  const html = openhtj2k && join(openhtj2k, "web/build/html");
  const work = {
    "ours, RGBA": () => tiles.forEach(({ pixels }) => pixels()),
    "ours, samples": () => tiles.forEach(({ samples }) => samples()),
    "ours, RGBA, 2 threads": await ourThreads({ folder, module }),
    ...(await openjph(stream)),
    ...(html && existsSync(html) ? await openHtj2k(html, stream, side) : {}),
  };
  const taken = Object.fromEntries(Object.keys(work).map((name) => [name, []]));
  for (let round = -5; round < rounds; round++)
    for (const [name, decode] of Object.entries(work)) {
      const begin = performance.now();
      await decode();
      if (round >= 0) taken[name].push(performance.now() - begin);
    }
  const medians = Object.entries(taken).map(([name, times]) => [name, times.sort((a, b) => a - b)[rounds >> 1]]);
  console.log(JSON.stringify(Object.fromEntries(medians)));
  process.exit(0);
}

/** Each tile of the picture with its parent, which is decoded already. */
async function readTiles(folder, module) {
  const { loadKernel } = await import(module);
  const kernel = await loadKernel(readFileSync(join(root, "shared/kernel/build/kernel.wasm")));
  const [block, approximation] = ["block", "approximation"].map((name) =>
    kernel.readParameters(new Uint8Array(readFileSync(join(folder, `${name}.parameters`)))),
  );
  const blockOf = (parameters, name) => ({ parameters, address: { z: 0, x: 0, y: 0 }, layers: layersOf(folder, name) });
  const tiles = [];
  for (let i = 0; existsSync(join(folder, `block-${i}.0`)); i++) {
    const parent = kernel.decodeApproximation(blockOf(approximation, `approximation-${i}`));
    const coded = blockOf(block, `block-${i}`);
    const size = { width: TILE, height: TILE };
    tiles.push({
      pixels: () => kernel.decodePixels(parent, coded, size),
      samples: () => kernel.decodeTile(parent, coded),
    });
  }
  return tiles;
}

/** The layers of one block, in their order. */
function layersOf(folder, name) {
  const layers = [];
  for (let k = 0; existsSync(join(folder, `${name}.${k}`)); k++)
    layers.push(new Uint8Array(readFileSync(join(folder, `${name}.${k}`))));
  return layers;
}

/** Two workers decode every other tile each, and hand over the pixels, as those of the page do. */
async function ourThreads(data) {
  const workers = [0, 1].map((part) => new Worker(new URL(import.meta.url), { workerData: { ...data, part } }));
  const answers = () => Promise.all(workers.map((worker) => new Promise((done) => worker.once("message", done))));
  await answers();
  return () => {
    const all = answers();
    for (const worker of workers) worker.postMessage("decode");
    return all;
  };
}

async function decodeShare({ folder, module, part }) {
  const share = (await readTiles(folder, module)).filter((_, i) => i % 2 === part);
  parentPort.on("message", () => {
    const pictures = share.map(({ pixels }) => pixels());
    parentPort.postMessage(
      pictures,
      pictures.map(({ buffer }) => buffer),
    );
  });
  parentPort.postMessage("ready");
}

async function openjph(stream) {
  const file = join(dirname(require.resolve("@cornerstonejs/codec-openjph")), "openjphjs.js");
  const decoder = new (await require(file)()).HTJ2KDecoder();
  const decode = () => {
    decoder.getEncodedBuffer(stream.length).set(stream);
    decoder.decode();
    return decoder.getDecodedBuffer();
  };
  const toRgba = (rgb) => {
    const rgba = new Uint8ClampedArray((rgb.length / 3) * 4).fill(255);
    for (let i = 0, j = 0; i < rgb.length; i += 3, j += 4) {
      rgba[j] = rgb[i];
      rgba[j + 1] = rgb[i + 1];
      rgba[j + 2] = rgb[i + 2];
    }
    return rgba;
  };
  return { "OpenJPH, RGB": decode, "OpenJPH, RGBA": () => toRgba(decode()) };
}

/** Its builds for a browser: what they look for there is given to them. */
async function openHtj2k(html, stream, side) {
  globalThis.navigator ??= { hardwareConcurrency: 2 };
  Object.assign(globalThis, { require: createRequire(join(html, "x.js")), __dirname: html });
  const load = async (name) => {
    const file = join(html, `${name}.js`);
    globalThis.__filename = file;
    const { default: create } = await import(pathToFileURL(file).href);
    return create({ wasmBinary: readFileSync(join(html, `${name}.wasm`)), mainScriptUrlOrBlob: file });
  };
  const decoding = (it, threads, invoke) => {
    const [input, output] = [it._malloc(stream.length), it._malloc(side * side * 4)];
    return () => {
      it.HEAPU8.set(stream, input);
      const decoder = threads
        ? it._create_decoder_mt(input, stream.length, 0, threads)
        : it._create_decoder(input, stream.length, 0);
      it._parse_j2c_data(decoder);
      invoke(it, decoder, output);
      it._release_j2c_data(decoder);
      return it.HEAPU8.slice(output, output + side * side * 4);
    };
  };
  const rgba = (it, decoder, output) => it._invoke_decoder_to_rgba(decoder, output);
  const planes = (it, decoder, output) =>
    it._invoke_decoder_planar_ycbcr_u8(decoder, output, output + side * side, output + 2 * side * side);
  const simd = await load("libopen_htj2k_simd");
  const threaded = await load("libopen_htj2k_mt_simd");
  return {
    "OpenHTJ2K, RGBA": decoding(simd, 0, rgba),
    "OpenHTJ2K, YCbCr": decoding(simd, 0, planes),
    "OpenHTJ2K, RGBA, 2 threads": decoding(threaded, 2, rgba),
  };
}

/** frontend/core/src/codec/kernel.ts, built for Node by the frontend's own Vite: its address. */
async function binding(folder) {
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
  return pathToFileURL(join(outDir, "kernel.mjs")).href;
}
