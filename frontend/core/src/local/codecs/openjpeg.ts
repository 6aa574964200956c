/** OpenJPEG as shared/openjpeg builds it: its pixels are those of the service's readers. */
import type { Size } from "../../geometry/pyramid";
import { DamagedTileError } from "./codecs";

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly allocate: (length: number) => number;
  readonly release: (at: number) => void;
  readonly decode: (bytes: number, length: number, width: number, height: number, pixels: number) => number;
}

export type DecodeJpeg2000 = (bytes: Uint8Array, size: Size) => Uint8Array;

export async function openJpeg(wasm: ArrayBuffer): Promise<DecodeJpeg2000> {
  const module = await WebAssembly.compile(wasm);
  let instance: Exports | null = null;
  return (bytes, size) => {
    instance ??= started(module);
    try {
      return decoded(instance, bytes, size);
    } catch (cause) {
      if (cause instanceof DamagedTileError) throw cause;
      instance = null; // what a trap leaves behind is not used again
      throw new DamagedTileError("damaged JPEG 2000", { cause });
    }
  };
}

function started(module: WebAssembly.Module): Exports {
  const imports: Record<string, Record<string, () => number>> = {};
  const none = (): number => 0; // it reads and writes no files
  for (const { module: name, name: field } of WebAssembly.Module.imports(module)) (imports[name] ??= {})[field] = none;
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  exports._initialize();
  return exports;
}

function decoded(
  { memory, allocate, release, decode }: Exports,
  bytes: Uint8Array,
  { width, height }: Size,
): Uint8Array {
  const length = 3 * width * height;
  const [from, to] = [allocate(bytes.length), allocate(length)];
  try {
    if (from === 0 || to === 0) throw new DamagedTileError("JPEG 2000: no memory");
    new Uint8Array(memory.buffer).set(bytes, from);
    if (!decode(from, bytes.length, width, height, to)) throw new DamagedTileError("damaged JPEG 2000");
    return new Uint8Array(memory.buffer).slice(to, to + length);
  } finally {
    release(from);
    release(to);
  }
}
