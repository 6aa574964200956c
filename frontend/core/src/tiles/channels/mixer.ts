/** What mixes channels: the interface between the pictures of channels and the two ways to sum them, by WebGL and on the processor. */
import type { Values } from "../../codec/kernel";
import type { Size } from "../../geometry/pyramid";
import type { TileImage } from "../pictures";
import type { Shown } from "./mix";

/** The stored samples of one tile and channel. */
export interface Plane extends Size {
  /** Names them among all of a slide. */
  readonly name: string;
  readonly values: Values;
}

/** What the channels that were added add to the pixels of a tile (CM2 to CM5). */
export interface Sum {
  /** Of memory, of the graphics processor's where it lies there. */
  readonly bytes: number;
  /** Adds a channel as it is shown now; takes it away as it was shown before, if it was. */
  change(plane: Plane, now: Shown | null, before: Shown | null): void;
  /** Opaque. */
  picture(): TileImage;
  release(): void;
}

export interface Mixer {
  readonly kind: "webgl" | "canvas";
  /** Beside its sums: tables, and planes on the graphics processor. */
  readonly bytes: number;
  /** A sum of no channels. */
  begin(size: Size): Sum;
  close(): void;
}
