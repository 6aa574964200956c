/** One class per cause. The class tells a caller what happened; no need to read the text. */

/** The service could not be reached: no network, or no service at the address. A retry may help. */
export class OfflineError extends Error {
  override readonly name = "OfflineError";
}

/** The service answered with an RFC 9457 problem. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(
    /** The last component of the problem's type: `unknown-slide`, `corrupt-block` ... */
    readonly problem: string,
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail || title);
  }

  /** Asking the same again may help. */
  get transient(): boolean {
    return this.status === 502 || this.status === 503 || this.status === 504 || this.status === 429;
  }
}

/** The bytes of the service or of the store are not what they claim to be. */
export class CorruptError extends Error {
  override readonly name = "CorruptError";
}

/** A batch ended without its last frame. What came before is good; the rest must be asked for again. */
export class CutStreamError extends Error {
  override readonly name = "CutStreamError";
}

/** An answer or a message of the service that breaks the contract (shared/wire). The message is for the log. */
export class ContractError extends Error {
  override readonly name = "ContractError";

  constructor(
    /** Where the document came from: `GET /api/v1/slides`, `session`. */
    readonly source: string,
    /** JSON pointer of the first value that breaks the contract; empty: the document. */
    readonly path: string,
    /** What is not satisfied there: a keyword of JSON Schema, `missing`, `JSON`, or a sentence. */
    readonly rule: string,
    options?: ErrorOptions,
  ) {
    super(`${source}: ${path || "the document"}: ${rule}`, options);
  }
}

/** A file that the user chose is not what it was chosen as. The message is for the user. */
export class FileError extends Error {
  override readonly name = "FileError";
}

/** True for everything after which waiting and asking again makes sense. */
export function mayRecover(error: unknown): boolean {
  if (error instanceof ProblemError) return error.transient;
  return error instanceof OfflineError || error instanceof CutStreamError;
}

/** Whether the user has no right to it, or no longer: an automatic retry is useless. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && [401, 403, 404].includes(error.status);
}

/** Whether this version of the slide is not for this user any more: replaced, deleted, or without access. */
export function isGone(error: unknown): boolean {
  return isRefusal(error) || (error instanceof ProblemError && error.status === 410);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
