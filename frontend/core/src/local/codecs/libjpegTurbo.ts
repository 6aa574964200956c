/** libjpeg-turbo in WebAssembly. */
import type { Size } from "../../geometry/pyramid";
import { DamagedTileError } from "./codecs";

/** Of @cornerstonejs/codec-libjpeg-turbo-8bit, as far as it is used. */
export interface JpegModule {
  readonly JPEGDecoder: new () => {
    getEncodedBuffer(length: number): Uint8Array;
    getDecodedBuffer(): Uint8Array;
    decode(): void;
    delete(): void;
    getFrameInfo(): { readonly width: number; readonly height: number; readonly componentCount: number };
  };
}

export type JpegFactory = (options: { readonly wasmBinary: ArrayBuffer }) => Promise<JpegModule>;

export type DecodeJpeg = (bytes: Uint8Array, size: Size) => Uint8Array;

export async function libjpegTurbo(factory: JpegFactory, wasm: ArrayBuffer): Promise<DecodeJpeg> {
  const { JPEGDecoder } = await factory({ wasmBinary: wasm });
  return (bytes, { width, height }) => {
    const decoder = new JPEGDecoder();
    try {
      decoder.getEncodedBuffer(bytes.length).set(bytes);
      decoder.decode();
      const pixels = decoder.getDecodedBuffer();
      if (pixels.length !== 3 * width * height) throw new DamagedTileError(`a JPEG of ${pixels.length} bytes`);
      return pixels.slice();
    } catch (cause) {
      throw cause instanceof DamagedTileError ? cause : new DamagedTileError("damaged JPEG", { cause });
    } finally {
      decoder.delete();
    }
  };
}
