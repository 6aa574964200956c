/** Encodes one slide: reads the file, asks other workers for strips, and writes what comes of it (LI22). */
import { SlideFileError } from "../../wire/files/errors";
import type { LocalPicture } from "../localPicture";
import { CHANNELS, type Pixels } from "./codec";
import { encodeSlide } from "./encodeSlide";
import { Encoder } from "./encoder";
import { exportOf } from "./export";
import { openSource } from "./openSource";
import { openPrivateSpool } from "./privateSpool";
import type { FromEncoding, Order, StripAnswer, StripRequest, ToEncoding } from "./protocol";
import type { Read } from "./sampling";
import { sha256OfFile } from "../../sha256";
import { BlobSpool, type Spool } from "./spool";
import type { Strip, StripTask } from "./strip";
import { Waiting } from "./waiting";

declare const self: {
  postMessage(message: FromEncoding): void;
  onmessage: ((event: MessageEvent<ToEncoding>) => void) | null;
};

const cancel = new AbortController();
let spool: Promise<Spool> | null = null;
let running: Promise<void> = Promise.resolve();

self.onmessage = ({ data }) => {
  if (data.type === "start") running = start(data);
  else void remove();
};

async function start(order: Order): Promise<void> {
  try {
    const { picture, format, tileBytes, compression } = await openSource(order.file);
    spool = openPrivateSpool().catch(() => new BlobSpool());
    const fingerprint = await fingerprintOf(order.file);
    const target = await spool;
    const { width, height, facts } = picture;
    const { mppX, mppY, objective, vendor } = facts;
    const icc = facts.icc && new Uint8Array(facts.icc);
    const bytes = order.file.size;
    const scale = { mppX, mppY, objective, vendor, icc };
    const source = { width, height, format, bytes, tileBytes, compression, fingerprint, ...scale };
    const version = await encodeSlide(source, order.quality, {
      encoder: await Encoder.load(order.module),
      read: readerOf(picture),
      spool: target,
      strips: { atATime: order.helpers.length + 1, encode: helpersOn(order.helpers) },
      progress: (done, total) => self.postMessage({ type: "encoded", done, total }),
      signal: cancel.signal,
    });
    await target.finish();
    const archive = exportOf(version, order.title, await jpegOf(version.overview));
    const { digest, codedBytes } = version;
    self.postMessage({ type: "done", digest, archive, codedBytes });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const fault = error instanceof SlideFileError ? error.fault : null;
    self.postMessage({ type: "failed", name, message, fault });
  }
}

async function remove(): Promise<void> {
  cancel.abort();
  await running;
  await (await spool)?.remove();
  self.postMessage({ type: "removed" });
}

const readerOf =
  (picture: LocalPicture): Read =>
  async (x, y, width, height) => {
    cancel.signal.throwIfAborted();
    return { width, height, data: await picture.readRegion(0, x, y, width, height, cancel.signal) };
  };

const fingerprintOf = (file: Blob): Promise<string> =>
  sha256OfFile(file, (done) => {
    cancel.signal.throwIfAborted();
    self.postMessage({ type: "hashed", done, total: file.size });
  });

/** Gives each strip to the worker with the fewest. */
function helpersOn(ports: readonly MessagePort[]): (task: StripTask) => Promise<Strip> {
  const waiting = new Waiting<Strip>();
  cancel.signal.addEventListener("abort", () => waiting.rejectAll(cancel.signal.reason as Error)); // the page ends them
  const loads = ports.map(() => 0);
  for (const port of ports)
    port.onmessage = ({ data }: MessageEvent<StripAnswer>) => {
      if ("strip" in data) waiting.resolve(data.id, data.strip);
      else waiting.reject(data.id, new Error(data.message));
    };
  return (task) => {
    const at = loads.indexOf(Math.min(...loads));
    loads[at]! += 1;
    const transfer = "data" in task.input ? [task.input.data.buffer] : task.input.flat().map(({ data }) => data.buffer);
    const send = (id: number): void => ports[at]!.postMessage({ id, task } satisfies StripRequest, transfer);
    return waiting.ask(send).finally(() => (loads[at]! -= 1));
  };
}

/** A JPEG of a small picture. */
async function jpegOf({ width, height, data }: Pixels): Promise<Uint8Array<ArrayBuffer> | null> {
  if (typeof OffscreenCanvas === "undefined") return null;
  const image = new ImageData(width, height);
  for (let i = 0, at = 0; at < data.length; i += 4, at += CHANNELS) {
    image.data.set(data.subarray(at, at + CHANNELS), i);
    image.data[i + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 })).arrayBuffer());
}
