/** Mixes channels on the processor: what every browser can that decodes, and what WebGL is compared with. */
import { ByteLru } from "../../codec/byteLru";
import { MixKernel, type Slot } from "../../codec/mixKernel";
import type { Size } from "../../geometry/pyramid";
import type { TileImage } from "../pictures";
import { type SampleRange, type Shown, contributions } from "./mix";
import type { Mixer, Sum } from "./mixer";

/** Bytes of tables: those of 64 channels of 16 bits, and of windows that are being moved. */
const TABLES = 40 << 20;
/** Canvases that rest before they are used again: what was drawn from them in the last frame is still kept, and would be copied first. */
const RESTING = 64;
/** Canvases without a picture, at most. */
const MOST_FREE = 2 * RESTING;
/** Bytes of the same contributions, which tables are made of. */
const CONTRIBUTIONS = 2 << 20;

type TileCanvas = OffscreenCanvas & { close(): void };

export class CanvasMixer implements Mixer {
  readonly kind = "canvas";
  private readonly tables = new ByteLru<Slot>(TABLES, (slot) => this.kernel.release(slot));
  private readonly contributions = new ByteLru<Uint8Array>(CONTRIBUTIONS);
  /** Canvases of pictures that were closed, for those to come: a picture on a new one takes five times as long. */
  private readonly free: TileCanvas[] = [];

  constructor(
    private readonly range: SampleRange,
    private readonly kernel: MixKernel,
  ) {}

  get bytes(): number {
    const canvases = this.free.reduce((sum, { width, height }) => sum + 4 * width * height, 0);
    return this.tables.bytes + this.contributions.bytes + this.kernel.freeBytes + canvases;
  }

  begin(size: Size): Sum {
    const sum = this.kernel.sum();
    return {
      bytes: MixKernel.slotBytes,
      change: ({ values }, now, before) => this.kernel.add(sum, values, this.range.least, this.tableOf(now, before)),
      picture: () => this.picture(size, sum),
      release: () => this.kernel.release(sum),
    };
  }

  close(): void {
    this.free.length = 0;
  }

  private picture(size: Size, sum: Slot): TileImage {
    const canvas = this.canvas(size);
    canvas.getContext("2d", { alpha: false })!.putImageData(this.kernel.picture(sum, size), 0, 0);
    return canvas;
  }

  private canvas({ width, height }: Size): TileCanvas {
    const known = this.free.findIndex((one) => one.width === width && one.height === height);
    if (known >= 0 && known < this.free.length - RESTING) return this.free.splice(known, 1)[0]!;
    const made: TileCanvas = Object.assign(new OffscreenCanvas(width, height), {
      close: () => {
        if (this.free.length < MOST_FREE) this.free.push(made);
      },
    });
    return made;
  }

  /** What samples add as they are shown now, less what they added before. */
  private tableOf(now: Shown | null, before: Shown | null): Slot {
    const name = `${nameOf(now)} ${nameOf(before)}`;
    const known = this.tables.get(name);
    if (known !== undefined) return known;
    const slot = this.kernel.table((entries) => {
      entries.fill(0);
      if (now) addTo(entries, this.contributionsOf(now), 1);
      if (before) addTo(entries, this.contributionsOf(before), -1);
    });
    this.tables.set(name, slot, MixKernel.slotBytes);
    return slot;
  }

  private contributionsOf(shown: Shown): Uint8Array {
    const name = nameOf(shown);
    const known = this.contributions.get(name);
    if (known) return known;
    const made = contributions(shown, this.range);
    this.contributions.set(name, made, made.byteLength);
    return made;
  }
}

function addTo(entries: Int16Array, added: Uint8Array, sign: 1 | -1): void {
  for (let from = 0, to = 0; from < added.length; from += 3, to += 4) {
    entries[to]! += sign * added[from]!;
    entries[to + 1]! += sign * added[from + 1]!;
    entries[to + 2]! += sign * added[from + 2]!;
  }
}

const nameOf = (shown: Shown | null): string =>
  shown ? [shown.colour, shown.low, shown.high, shown.gamma].join() : "";
