/** Why the files of a slide cannot be read (static.md, SH8). */

export type FileFault =
  /** There is no exported slide at the address. */
  | "missing"
  /** The web server ignores range requests. */
  | "no-ranges"
  /** The file ends before what it says it has. */
  | "truncated"
  /** It is not an archive of ours, or its parts contradict each other. */
  | "malformed"
  /** It is larger than this page reads. */
  | "too-large"
  /** It was made by a later version. */
  | "unsupported";

export class SlideFileError extends Error {
  override readonly name = "SlideFileError";

  constructor(
    readonly fault: FileFault,
    /** For the log: which part, and what of it. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
