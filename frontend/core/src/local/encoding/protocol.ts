/** What the page, the worker that encodes a slide, and those that encode its strips say to each other. */
import type { FileFault } from "../../wire/files/errors";
import type { Strip, StripTask } from "./strip";
import type { LocalQuality } from "./choice";

export interface Order {
  readonly type: "start";
  readonly module: WebAssembly.Module;
  readonly file: File;
  readonly quality: LocalQuality;
  readonly title: string;
  /** To workers that encode strips. */
  readonly helpers: readonly MessagePort[];
}

export type ToEncoding = Order | { readonly type: "remove" };

export type FromEncoding =
  /** Bytes of the file that are hashed. */
  | { readonly type: "hashed"; readonly done: number; readonly total: number }
  /** Tiles that are encoded. */
  | { readonly type: "encoded"; readonly done: number; readonly total: number }
  | { readonly type: "done"; readonly digest: string; readonly archive: Blob; readonly codedBytes: number }
  | { readonly type: "failed"; readonly name: string; readonly message: string; readonly fault: FileFault | null }
  | { readonly type: "removed" };

export interface ToStrips {
  readonly module: WebAssembly.Module;
  readonly port: MessagePort;
}

/** On the port of a worker that encodes strips. */
export interface StripRequest {
  readonly id: number;
  readonly task: StripTask;
}
export type StripAnswer =
  | { readonly id: number; readonly strip: Strip }
  | { readonly id: number; readonly message: string };
