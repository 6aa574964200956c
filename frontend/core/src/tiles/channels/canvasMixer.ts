/** Mixes channels on the processor: what every browser can, and what WebGL is compared with. */
import { ByteLru } from "../../codec/byteLru";
import type { Size } from "../../geometry/pyramid";
import { type SampleRange, type Shown, contributions } from "./mix";
import type { Mixer, Sum } from "./mixer";
import { addTo, clipTo, difference, packed } from "./sums";

/** Bytes of tables: those of 64 channels of 16 bits, and of windows that are being moved. */
const TABLES = 40 << 20;

export class CanvasMixer implements Mixer {
  readonly kind = "canvas";
  private readonly tables = new ByteLru<Float64Array>(TABLES);
  private readonly canvas = new OffscreenCanvas(1, 1);
  private readonly context = this.canvas.getContext("2d", { alpha: false })!;
  private image: ImageData | null = null;

  constructor(private readonly range: SampleRange) {}

  get bytes(): number {
    return this.tables.bytes;
  }

  begin(size: Size): Sum {
    const sums = new Float64Array(size.width * size.height);
    return {
      bytes: sums.byteLength,
      change: ({ values }, now, before) => addTo(sums, values, this.tableOf(now, before), this.range.least),
      picture: () => this.picture(size, sums),
      release: () => undefined,
    };
  }

  close(): void {
    this.canvas.width = this.canvas.height = 1;
  }

  private picture({ width, height }: Size, sums: Float64Array): ImageBitmap {
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.image.data.fill(255);
      Object.assign(this.canvas, { width, height });
    }
    clipTo(this.image.data, sums);
    this.context.putImageData(this.image, 0, 0);
    return this.canvas.transferToImageBitmap();
  }

  private tableOf(now: Shown | null, before: Shown | null): Float64Array {
    const name = `${nameOf(now)} ${nameOf(before)}`;
    const known = this.tables.get(name);
    if (known) return known;
    const table = this.make(now, before);
    this.tables.set(name, table, table.byteLength);
    return table;
  }

  private make(now: Shown | null, before: Shown | null): Float64Array {
    if (!before) return packed(contributions(now!, this.range));
    return now
      ? difference(this.tableOf(now, null), this.tableOf(before, null))
      : this.tableOf(before, null).map((one) => -one);
  }
}

const nameOf = (shown: Shown | null): string =>
  shown ? [shown.colour, shown.low, shown.high, shown.gamma].join() : "";
