/**
 * Pictures of a slide with several focal planes: of one plane, or with extended depth of field, computed here from the bands of all
 * (shared/spec/focus.md). What is computed is never stored.
 */
import type { DecodePool } from "../../codec/pool";
import type { FocusRequest } from "../../codec/focusDecoder";
import type { DecodedValues } from "../../codec/protocol";
import type { Address } from "../../geometry/pyramid";
import type { Availability, FieldRequest, PictureSource, Priority, RgbaPixels, SourceMemory } from "../pictures";
import type { WaveletPictures } from "../waveletPictures";

/** The part of the pictures of single planes that is needed. */
export type PlanePictures = Pick<
  WaveletPictures,
  | "kind"
  | "fetch"
  | "prefetch"
  | "availability"
  | "make"
  | "pixels"
  | "values"
  | "fetched"
  | "requestFor"
  | "failed"
  | "reprioritise"
  | "retryNow"
  | "memory"
  | "close"
>;

export interface FocusPicturesOptions {
  readonly pictures: PlanePictures;
  readonly planes: number;
  /** Starts the workers that compute; called when they are first needed. */
  readonly openPool: () => Pick<DecodePool, "bitmap" | "pixels" | "values" | "reprioritise" | "memory" | "close">;
  readonly changed: () => void;
}

const PLANE = "";
const EXTENDED = "extended focus";

export class FocusPictures implements PictureSource {
  readonly kind = "wavelet";
  readonly ownVariant = PLANE;
  private pool: ReturnType<FocusPicturesOptions["openPool"]> | null = null;
  private on = false;
  private field: FieldRequest = { tiles: [], layers: 1 };

  constructor(private readonly options: FocusPicturesOptions) {}

  get variant(): string {
    return this.on ? EXTENDED : PLANE;
  }

  setExtended(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.fetch(this.field);
    this.options.changed();
  }

  fetch(field: FieldRequest): void {
    this.field = field;
    const tiles = this.on ? field.tiles.flatMap((tile) => this.planesOf(tile)) : field.tiles;
    this.options.pictures.fetch({ ...field, tiles });
  }

  /** With all planes here there is no next one. */
  prefetch(tiles: readonly Address[]): void {
    this.options.pictures.prefetch(this.on ? [] : tiles);
  }

  /** What the plane of which least is here allows. */
  availability(tile: Address): Availability {
    const { pictures } = this.options;
    if (!this.on) return pictures.availability(tile);
    return this.planesOf(tile)
      .map((plane) => pictures.availability(plane))
      .reduce((least, one) => {
        const layers = Math.min(least.layers, one.layers);
        return one.attainable < least.attainable ? { ...one, layers } : { ...least, layers };
      });
  }

  async make(tile: Address, layers: number, priority: Priority): Promise<ImageBitmap | null> {
    const { pictures } = this.options;
    if (!this.on) return pictures.make(tile, layers, priority);
    try {
      return await this.opened().bitmap(this.requestFor(tile, layers), priority);
    } catch (error) {
      return pictures.failed(error, layers);
    }
  }

  /** As WaveletPictures' of one channel. */
  async values(tile: Address, layers: number, priority?: Priority): Promise<DecodedValues | null> {
    const { pictures } = this.options;
    if (!this.on) return pictures.values(tile, layers, priority);
    await this.fetched(tile, layers);
    try {
      return await this.opened().values(this.requestFor(tile, layers), priority);
    } catch (error) {
      return pictures.failed(error, layers);
    }
  }

  async pixels(tile: Address, layers: number): Promise<RgbaPixels> {
    const { pictures } = this.options;
    if (!this.on) return pictures.pixels(tile, layers);
    await this.fetched(tile, layers);
    return this.opened().pixels(this.requestFor(tile, layers));
  }

  reprioritise(): void {
    this.options.pictures.reprioritise();
    this.pool?.reprioritise();
  }

  retryNow(): void {
    this.options.pictures.retryNow();
  }

  async memory(): Promise<SourceMemory> {
    const [planes, own] = await Promise.all([this.options.pictures.memory(), this.pool?.memory()]);
    if (!own) return planes;
    const { decodedBytes, wasmBytes } = planes;
    return { ...planes, decodedBytes: decodedBytes + own.decodedBytes, wasmBytes: wasmBytes + own.wasmBytes };
  }

  close(): void {
    this.pool?.close();
    this.options.pictures.close();
  }

  private async fetched(tile: Address, layers: number): Promise<void> {
    await Promise.all(this.planesOf(tile).map((plane) => this.options.pictures.fetched(plane, layers)));
  }

  private opened() {
    return (this.pool ??= this.options.openPool());
  }

  private planesOf(tile: Address): Address[] {
    return Array.from({ length: this.options.planes }, (_, z) => ({ ...tile, z }));
  }

  /** The chains of all planes; `chain` has only what the pool sorts requests by. */
  private requestFor(tile: Address, layers: number): Omit<FocusRequest, "output"> {
    const requests = this.planesOf(tile).map((plane) => this.options.pictures.requestFor(plane, layers));
    const last = requests[0]!.chain.at(-1)!;
    return { ...requests[0]!, chain: [{ ...last, layers: [] }], planes: requests.map(({ chain }) => chain) };
  }
}
