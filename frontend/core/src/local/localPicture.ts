/** A slide in a local file, as the page reads it. */
export interface LocalPicture {
  readonly width: number; // pixels of level 0
  readonly height: number;
  readonly levels: readonly { readonly width: number; readonly height: number }[]; // level 0 first, as the file has them
  readonly facts: LocalFacts; // mppX, mppY (micrometre per pixel), objective, vendor, icc (bytes), each optional
  /** Interleaved RGB, 8 bits, rows of `width * 3` bytes, clipped to the level. */
  readRegion(
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  close(): void;
}
export interface LocalFacts {
  mppX?: number;
  mppY?: number;
  objective?: number;
  vendor?: string;
  icc?: Uint8Array;
}
