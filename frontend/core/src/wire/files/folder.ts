/** The joint of static hosting: files by their paths, read in ranges; and one file, of which a range is read. */

export interface SlideFolder {
  /** For messages, and to tell one slide from another. */
  readonly name: string;
  /** Bytes [from, to) of a file, exactly. Throws CorruptError (missing, too short), SlideFileError, OfflineError, the caller's abort. */
  read(path: string, from: number, to: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** All of a file that has at most so many bytes. Throws as `read`, and SlideFileError for a larger one. */
  whole(path: string, most: number, signal?: AbortSignal): Promise<Uint8Array>;
}

export interface RangeFile {
  readonly name: string;
  size(signal?: AbortSignal): Promise<number>;
  /** Bytes [from, to), exactly. Throws as SlideFolder.read. */
  read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array>;
}
