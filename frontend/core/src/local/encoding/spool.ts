/** Where an encoding puts what it makes: finished files for good, means of tiles until those above are made. */

export interface Spool {
  /** Stores the parts, one after another, as one content. */
  store(parts: readonly Uint8Array[]): Content;
  /** Stores means until they are taken. */
  put(bytes: Uint8Array<ArrayBuffer>): Ticket;
  take(ticket: Ticket): Promise<Uint8Array<ArrayBuffer>>;
  /** Forgets what it has: the encoding begins again. */
  clear(): void;
  /** Ends all writing: from now on contents are Blobs. */
  finish(): Promise<void>;
  /** Removes everything. */
  remove(): Promise<void>;
}

export interface Content {
  readonly size: number;
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  /** After `finish`. */
  blob(): Blob;
}

export interface Ticket {
  readonly at: number;
  readonly size: number;
}

/** In Blobs, which a browser may put on the disk. */
export class BlobSpool implements Spool {
  private readonly means = new Map<number, Blob>();
  private count = 0;

  store(parts: readonly Uint8Array[]): Content {
    const blob = new Blob(parts as Uint8Array<ArrayBuffer>[]);
    return { size: blob.size, read: (from, to) => bytesOf(blob.slice(from, to)), blob: () => blob };
  }

  put(bytes: Uint8Array<ArrayBuffer>): Ticket {
    const at = (this.count += 1);
    this.means.set(at, new Blob([bytes]));
    return { at, size: bytes.length };
  }

  async take({ at }: Ticket): Promise<Uint8Array<ArrayBuffer>> {
    const blob = this.means.get(at)!;
    this.means.delete(at);
    return bytesOf(blob);
  }

  clear(): void {
    this.means.clear();
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }

  remove(): Promise<void> {
    this.clear();
    return Promise.resolve();
  }
}

const bytesOf = async (blob: Blob): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await blob.arrayBuffer());
