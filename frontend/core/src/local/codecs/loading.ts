/** The codecs, each fetched by the first tile that needs it. */
import jpegUrl from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm?url";
import jpeg2000Url from "../../../../../shared/openjpeg/openjpeg.wasm?url";
import { OfflineError } from "../../wire/http/errors";
import type { Codecs } from "./codecs";
import { type DecodeJpeg, type JpegFactory, libjpegTurbo } from "./libjpegTurbo";
import { type DecodeJpeg2000, openJpeg } from "./openjpeg";

export interface LoadedCodecs extends Codecs {
  /** Loads that of most slides before a tile needs it. */
  prepare(): void;
}

/** `bytesAt` gives what is at an address of the page; in tests, in a file. */
export function loadedCodecs(bytesAt: (url: string) => Promise<ArrayBuffer> = fetched): LoadedCodecs {
  const jpeg = once<DecodeJpeg>(async () => {
    const { default: factory } = await import("@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs");
    return libjpegTurbo(factory as JpegFactory, await bytesAt(jpegUrl));
  });
  const jpeg2000 = once<DecodeJpeg2000>(async () => openJpeg(await bytesAt(jpeg2000Url)));
  return {
    jpeg: async (bytes, size) => (await jpeg())(bytes, size),
    prepare: () => void jpeg().catch(() => undefined), // the first tile tells of it
    jpeg2000: async (bytes, size) => (await jpeg2000())(bytes, size),
  };
}

/** The same of every call; a failed one is repeated by the next. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load();
    loading.catch(() => (loading = null));
    return loading;
  };
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new OfflineError(`${url} does not come`, { cause });
  });
  if (!response.ok) throw new OfflineError(`${url}: ${response.status}`);
  return response.arrayBuffer();
}
