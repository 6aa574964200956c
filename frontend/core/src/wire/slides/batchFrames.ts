/** The frames of a batch (wire/blocks.md, WI18-WI20), parsed from pieces of a stream as they come. */
import { CorruptError, CutStreamError } from "../http/errors";

export const FRAME_STATUS = { ok: 0, empty: 1, corrupt: 2, unavailable: 3 } as const;

export interface Frame {
  /** Index of the entry in the request. */
  readonly index: number;
  readonly status: number;
  /** Status 0: the layers. Else a reason in UTF-8. A copy, never a view into the stream. */
  readonly payload: Uint8Array;
  /** It did not come over the network, but is stored in this browser. */
  readonly stored?: true;
}

const HEADER_BYTES = 12;
const LAST_INDEX = 0xffffffff;
/** No honest block comes near this; a stream that claims more is broken. */
const MAX_PAYLOAD = 64 << 20;

/**
 * Feed it pieces with `push`, which gives the frames that are now whole; call `end` when the stream has ended.
 * `entries` is the number of entries asked for: an index beyond them, or one seen twice, is corruption.
 */
export class FrameParser {
  private pending: Uint8Array[] = [];
  private bufferedBytes = 0;
  private finished = false;
  private readonly seen = new Set<number>();

  constructor(private readonly entries: number) {}

  push(chunk: Uint8Array): Frame[] {
    if (chunk.length > 0) {
      this.pending.push(chunk);
      this.bufferedBytes += chunk.length;
    }
    const frames: Frame[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  /** Throws CutStreamError when the last frame did not come or, unless there may be fewer, entries are missing. */
  end(fewer = false): void {
    if (!this.finished) throw new CutStreamError("the batch was cut short");
    if (!fewer && this.seen.size !== this.entries) throw new CutStreamError("the batch left entries out");
  }

  private next(): Frame | null {
    if (this.finished) {
      if (this.bufferedBytes > 0) throw new CorruptError("batch: bytes after the last frame");
      return null;
    }
    if (this.bufferedBytes < HEADER_BYTES) return null;
    const bytes = this.joined();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const index = view.getUint32(0, true);
    const status = bytes[4]!;
    const length = view.getUint32(8, true);
    this.check(bytes, index, status, length);
    if (bytes.length < HEADER_BYTES + length) return null;
    this.setPending(bytes.subarray(HEADER_BYTES + length));
    if (index === LAST_INDEX) {
      this.finished = true;
      return this.next();
    }
    this.seen.add(index);
    return { index, status, payload: bytes.slice(HEADER_BYTES, HEADER_BYTES + length) };
  }

  private check(bytes: Uint8Array, index: number, status: number, length: number): void {
    if (bytes[5] || bytes[6] || bytes[7] || status > FRAME_STATUS.unavailable || length > MAX_PAYLOAD) {
      throw new CorruptError("batch: malformed frame");
    }
    if (index === LAST_INDEX) {
      if (status !== FRAME_STATUS.ok || length !== 0) throw new CorruptError("batch: malformed last frame");
    } else if (index >= this.entries || this.seen.has(index)) {
      throw new CorruptError("batch: a frame that was not requested");
    }
  }

  private joined(): Uint8Array {
    if (this.pending.length === 1) return this.pending[0]!;
    const all = new Uint8Array(this.bufferedBytes);
    let offset = 0;
    for (const chunk of this.pending) {
      all.set(chunk, offset);
      offset += chunk.length;
    }
    this.pending = [all];
    return all;
  }

  private setPending(bytes: Uint8Array): void {
    this.pending = bytes.length > 0 ? [bytes] : [];
    this.bufferedBytes = bytes.length;
  }
}
