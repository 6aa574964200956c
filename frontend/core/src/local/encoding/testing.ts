/** Small pictures for the tests of encoding. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Pixels, CHANNELS } from "./codec";
import { Encoder } from "./encoder";
import { type Read, part } from "./sampling";

const WASM = fileURLToPath(new URL("../../../../../shared/kernel/build/kernel.wasm", import.meta.url));

export const kernelModule = async (): Promise<WebAssembly.Module> => WebAssembly.compile(readFileSync(WASM));
export const testEncoder = async (): Promise<Encoder> => Encoder.load(await kernelModule());

/** Waves and noise, as tissue has, with areas of one colour beside them: the same as those of backend/tests/ingest/make_local_vectors.py. */
export function madePicture(width: number, height: number): Pixels {
  const data = new Uint8Array(CHANNELS * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const noise = Math.imul(x * 7919 + y * 104729 + x * y * 31, 2654435761) >>> 27;
      const wave = Math.abs(mod(x * 3 + y * 2, 256) - 128) + Math.abs(mod(x - 2 * y, 192) - 96);
      const isTissue = (Math.floor(x / 64) + Math.floor(y / 96)) % 5 < 3;
      const rgb = isTissue
        ? [90 + (wave >> 1) + (noise >> 1), 40 + (wave >> 1) + noise, 110 + Math.floor(wave / 3) + (noise >> 1)]
        : [241, 240, 243];
      data.set(
        rgb.map((value) => Math.min(255, value)),
        CHANNELS * (y * width + x),
      );
    }
  return { width, height, data };
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;

export const readerOf =
  (picture: Pixels): Read =>
  (x, y, width, height) =>
    Promise.resolve(part(picture, x, y, width, height));
