/** What decodes tiles, as the reader needs it. Both throw DamagedTileError. */
import type { Size } from "../../geometry/pyramid";

/** The bytes of a tile are not what the file promises. */
export class DamagedTileError extends Error {
  override readonly name = "DamagedTileError";
}

export interface Codecs {
  /** A whole JPEG of exactly this size, to RGB. */
  jpeg(bytes: Uint8Array, size: Size): Promise<Uint8Array>;
  /** A JPEG 2000 codestream of exactly this size, three components of 8 bits. */
  jpeg2000(bytes: Uint8Array, size: Size): Promise<Uint8Array>;
}
