/** Messages between the page and the worker that reads a slide file. Pictures are bitmap files (bitmap.ts). */
import type { FileFault } from "../wire/files/errors";
import type { LocalPicture } from "./localPicture";
import type { TilePlace } from "./tileMaker";

export type ToWorker =
  | { readonly type: "open"; readonly file: File }
  | { readonly type: "tile"; readonly id: number; readonly place: TilePlace };

/** What the page knows of the file; pixels are asked for. */
export type LocalDescription = Pick<LocalPicture, "width" | "height" | "levels" | "facts">;

export interface WorkerFault {
  /** Null: the file cannot be read any more, or a part of the page did not come. */
  readonly fault: FileFault | null;
  readonly message: string;
}

export type FromWorker =
  | { readonly type: "opened"; readonly description: LocalDescription; readonly thumbnail: ArrayBuffer }
  | { readonly type: "refused"; readonly error: WorkerFault }
  | { readonly type: "tile"; readonly id: number; readonly picture: ArrayBuffer }
  | { readonly type: "failed"; readonly id: number; readonly error: WorkerFault };
