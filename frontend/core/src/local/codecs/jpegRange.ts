/**
 * Whether the coefficients of a JPEG are those of a picture. Of others, which only damage makes, builds of libjpeg-turbo make different
 * pixels: their sums have 16 bits or 32 (LI10). The scans of sequential Huffman coding are read, once more than by libjpeg-turbo.
 */
import { DamagedTileError } from "./codecs";

const BLOCK = 64;
const [FRAMES, HUFFMAN, QUANTISATION, INTERVAL, SCAN, END] = [[0xc0, 0xc1], 0xc4, 0xdb, 0xdd, 0xda, 0xd9];
/** Of a coefficient, and of the sums of one direction: two of them still have 16 bits. */
const MAX_SUM = 16_383;
/** Scale of the sums of one direction. */
const SUM_SCALE = 4;
/** Of a sample around the middle. */
const MAX_SAMPLE = 510;
/** What a coefficient adds to 8 times a sample at most; the first adds itself. */
const MOST_ADDED = 2 * Math.cos(Math.PI / 16) ** 2;

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly steps: number;
}

/** Bits of the codes that are looked up. */
const QUICK = 9;

interface Codes {
  /** By the next bits: length of the code and its value, in bytes; 0: the code is longer. */
  readonly quick: Uint16Array;
  /** By length: one more than the last code, and where in `values` its value would be. */
  readonly ends: Int32Array;
  readonly offsets: Int32Array;
  readonly values: Uint8Array;
}

/** Throws DamagedTileError for a JPEG, which libjpeg-turbo has decoded, whose pixels depend on how it was compiled. */
export function checkRange(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps = new Map<number, Float64Array>();
  const codes = new Map<number, Codes>();
  let [frame, interval]: [{ width: number; height: number; components: Component[] } | null, number] = [null, 0];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== END; ) {
    const [marker, end] = [bytes[at + 1]!, at + 2 + view.getUint16(at + 2)];
    const content = bytes.subarray(at + 4, end);
    if (marker === QUANTISATION) readSteps(content, steps);
    else if (marker === HUFFMAN) readCodes(content, codes);
    else if (marker === INTERVAL) interval = view.getUint16(at + 4);
    else if (FRAMES.includes(marker))
      frame = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), components: componentsOf(content) };
    at = end;
    if (marker !== SCAN) continue;
    if (!frame) return; // progressive: its coefficients are sums over several scans
    const parts = Array.from({ length: content[0]! }, (_, i) => {
      const component = frame!.components.find(({ id }) => id === content[1 + 2 * i])!;
      const tables = content[2 + 2 * i]!;
      return { component, dc: codes.get(tables >> 4)!, ac: codes.get(16 + (tables & 15))! };
    });
    at = readScan(bytes, at, frame, parts, interval, steps);
  }
}

function componentsOf(content: Uint8Array): Component[] {
  return Array.from({ length: content[5]! }, (_, i) => {
    const [id, sampling, steps] = content.subarray(6 + 3 * i, 9 + 3 * i);
    return { id: id!, across: sampling! >> 4, down: sampling! & 15, steps: steps! };
  });
}

/** In the order of the stream. */
function readSteps(content: Uint8Array, into: Map<number, Float64Array>): void {
  for (let at = 0; at < content.length; ) {
    const [wide, number] = [content[at]! >> 4 ? 2 : 1, content[at]! & 15];
    const start = at + 1;
    into.set(
      number,
      Float64Array.from({ length: BLOCK }, (_, i) =>
        wide === 1 ? content[start + i]! : 256 * content[start + 2 * i]! + content[start + 2 * i + 1]!,
      ),
    );
    at += 1 + BLOCK * wide;
  }
}

function readCodes(content: Uint8Array, into: Map<number, Codes>): void {
  for (let at = 0; at + 17 <= content.length; ) {
    const [ends, offsets, quick] = [new Int32Array(17), new Int32Array(17), new Uint16Array(1 << QUICK)];
    let [code, count] = [0, 0];
    for (let length = 1; length <= 16; length += 1) {
      const some = content[at + length]!;
      offsets[length] = count - code;
      ends[length] = code + some;
      const spare = QUICK - length;
      for (let i = 0; spare >= 0 && i < some; i += 1)
        quick.fill((length << 8) | content[at + 17 + count + i]!, (code + i) << spare, (code + i + 1) << spare);
      code = (code + some) << 1;
      count += some;
    }
    into.set(content[at]!, { quick, ends, offsets, values: content.subarray(at + 17, at + 17 + count) });
    at += 17 + count;
  }
}

/** Of one scan, whose data begins at `from`; answers where it ends. */
function readScan(
  bytes: Uint8Array,
  from: number,
  frame: { readonly width: number; readonly height: number; readonly components: readonly Component[] },
  parts: readonly { readonly component: Component; readonly dc: Codes; readonly ac: Codes }[],
  interval: number,
  steps: ReadonlyMap<number, Float64Array>,
): number {
  const bits = new Bits(bytes, from);
  const alone = parts.length === 1;
  const [across, down] = (["across", "down"] as const).map((way) => Math.max(...frame.components.map((c) => c[way])));
  const unit = (component: Component, way: "across" | "down", most: number): number =>
    alone ? (8 * most) / component[way] : 8 * most;
  const { component } = parts[0]!;
  const columns = Math.ceil(frame.width / unit(component, "across", across!));
  const rows = Math.ceil(frame.height / unit(component, "down", down!));
  const blocks = parts.flatMap(({ component: { across: x, down: y, steps: name }, dc, ac }, part) =>
    Array.from({ length: alone ? 1 : x * y }, () => ({ part, dc, ac, steps: steps.get(name)! })),
  );
  const before = new Int32Array(parts.length);
  for (let i = 0; i < columns * rows; i += 1) {
    if (interval > 0 && i > 0 && i % interval === 0) {
      bits.restart();
      before.fill(0);
    }
    for (const { part, dc, ac, steps: own } of blocks) {
      before[part]! += bits.first(dc);
      bits.check(before[part]! * own[0]!, ac, own);
    }
  }
  return bits.end();
}

/** The bits of a scan, from one restart to the next; after its end they are zeros, as libjpeg has them. */
class Bits {
  private readonly block = new Float64Array(BLOCK);
  /** Without the zeros that stand behind 0xff, and how many bytes. */
  private readonly data: Uint8Array;
  private size = 0;
  /** Of the marker that follows. */
  private marker = 0;
  private at = 0;
  private held = 0;
  private count = 0;

  constructor(
    private readonly bytes: Uint8Array,
    from: number,
  ) {
    this.data = new Uint8Array(bytes.length - from);
    this.begin(from);
  }

  /** The difference of a first coefficient. */
  first(codes: Codes): number {
    this.fill();
    const size = this.code(codes);
    if (size === 0) return 0;
    this.fill();
    return this.value(size);
  }

  /** Reads the other coefficients of a block; throws DamagedTileError. */
  check(first: number, codes: Codes, steps: Float64Array): void {
    const { at, held, count } = this;
    if (Math.abs(first) + MOST_ADDED * this.sum(codes, steps, null) <= 8 * MAX_SAMPLE) return;
    [this.at, this.held, this.count] = [at, held, count];
    this.block.fill(0);
    this.block[0] = first;
    this.sum(codes, steps, this.block);
    checkBlock(this.block);
  }

  /** Goes on behind the next marker, if it is one of a restart. */
  restart(): void {
    this.begin(((this.bytes[this.marker + 1] ?? 0) & 0xf8) === 0xd0 ? this.marker + 2 : this.marker);
  }

  /** Where the next marker is. */
  end(): number {
    return this.marker;
  }

  private begin(from: number): void {
    const { bytes, data } = this;
    [this.size, this.at, this.held, this.count] = [0, 0, 0, 0];
    for (let start = from; ; start += 2) {
      const found = bytes.indexOf(0xff, start);
      const end = found < 0 ? bytes.length : found;
      data.set(bytes.subarray(start, end), this.size);
      this.size += end - start;
      this.marker = start = end;
      if (bytes[end + 1] !== 0) return;
      data[this.size] = 0xff;
      this.size += 1;
    }
  }

  /** The sum of the magnitudes of all coefficients but the first; `into` gets them in the order of rows. */
  private sum(codes: Codes, steps: Float64Array, into: Float64Array | null): number {
    let sum = 0;
    for (let k = 1; k < BLOCK; k += 1) {
      this.fill();
      const code = this.code(codes);
      const size = code & 15;
      k += code >> 4;
      if (size === 0) {
        if (code >> 4 === 15) continue;
        break;
      }
      if (this.count < size) this.fill();
      const value = this.value(size) * steps[k & 63]!;
      if (into) into[ORDER[k & 63]!] = value;
      sum += Math.abs(value);
    }
    return sum;
  }

  /** A value by its code; 0 if there is none such. Of 16 bits that are held. */
  private code({ quick, ends, offsets, values }: Codes): number {
    const found = quick[this.next(QUICK)]!;
    if (found > 0) {
      this.count -= found >> 8;
      return found & 255;
    }
    for (let length = QUICK + 1; length <= 16; length += 1) {
      const code = this.next(length);
      if (code >= ends[length]!) continue;
      this.count -= length;
      return values[offsets[length]! + code] ?? 0;
    }
    this.count -= 16;
    return 0;
  }

  /** Of so many bits, with a sign. */
  private value(size: number): number {
    const value = this.next(size);
    this.count -= size;
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  private next(bits: number): number {
    return (this.held >>> (this.count - bits)) & ((1 << bits) - 1);
  }

  /** 25 bits or more. */
  private fill(): void {
    while (this.count <= 24) {
      this.held = (this.held << 8) | (this.at < this.size ? this.data[this.at]! : 0);
      this.at += 1;
      this.count += 8;
    }
  }
}

/** Where a coefficient of the stream stands in its block. */
const ORDER = Array.from({ length: BLOCK }, (_, at) => at).sort((one, other) => placeOf(one) - placeOf(other));

function placeOf(at: number): number {
  const [row, column] = [at >> 3, at & 7];
  return 8 * (row + column) + ((row + column) % 2 ? row : column);
}

/** By frequency and place: the inverse transform of one direction, as libjpeg scales it. */
const BASIS = Float64Array.from({ length: BLOCK }, (_, at) =>
  at >> 3 === 0 ? 1 : Math.SQRT2 * Math.cos(((2 * (at & 7) + 1) * (at >> 3) * Math.PI) / 16),
);

/** Throws DamagedTileError if sums of the inverse transform leave the bounds within which all builds agree. */
function checkBlock(block: Float64Array): void {
  const sums = new Float64Array(BLOCK);
  let outside = block.some((value) => Math.abs(value) > MAX_SUM);
  for (let at = 0; at < BLOCK; at += 1) {
    for (let k = 0; k < 8; k += 1) sums[at]! += BASIS[8 * k + (at >> 3)]! * block[8 * k + (at & 7)]!;
    outside ||= SUM_SCALE * Math.abs(sums[at]!) > MAX_SUM;
  }
  for (let at = 0; at < BLOCK && !outside; at += 1) {
    let sample = 0;
    for (let k = 0; k < 8; k += 1) sample += BASIS[8 * k + (at & 7)]! * sums[8 * (at >> 3) + k]!;
    outside = Math.abs(sample / 8) > MAX_SAMPLE;
  }
  if (outside) throw new DamagedTileError("a JPEG with coefficients of no picture");
}
