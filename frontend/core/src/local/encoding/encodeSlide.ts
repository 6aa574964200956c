/**
 * A slide version from a local picture: the import of the service (backend/src/wavescope/ingest) in the browser. The same file with the
 * same quality gives the same bytes and the same digest (LI20). Memory is bounded by strips: one is read at a time, and means wait in the spool.
 */
import { type Size, TILE } from "../../geometry/pyramid";
import { sha256 } from "../../sha256";
import type { Entry } from "./archive";
import { crc32 } from "./bytes";
import { type Choice, Chooser, type LocalQuality } from "./choice";
import { type Codec, CHANNELS, type Pixels } from "./codec";
import type { Compression } from "./compression";
import { type Encoder, type Layers, NO_LAYERS, layersOf } from "./encoder";
import { Real, type Value, canonical, realOrNull } from "./json";
import { measured, tilesWithTissue } from "./measure";
import { PAGE, Plan, SHARD, type Unit, keyOf } from "./plan";
import type { Read } from "./sampling";
import type { Content, Spool, Ticket } from "./spool";
import { type UnitRecord, byteSums, layerIndex, lengthsAt, occupancy, shardOf, zarrDocuments } from "./store";
import { type Means, type Strip, type StripTask, encodeStrip } from "./strip";
import { pixelsOf } from "./trials";

/** What the manifest says of the file and its picture; nothing else of the file is stored. */
export interface SourceFacts extends Size {
  readonly format: string;
  /** Of the file, and of its own tiles of all levels; null: it has none. */
  readonly bytes: number;
  readonly tileBytes: number | null;
  readonly compression: Compression;
  /** SHA-256 of the file (ST97). */
  readonly fingerprint: string;
  readonly mppX?: number | undefined;
  readonly mppY?: number | undefined;
  readonly objective?: number | undefined;
  readonly vendor?: string | undefined;
  readonly icc?: Uint8Array<ArrayBuffer> | undefined;
}

/** The name of a source whose name may identify a person (PR43). */
const DEIDENTIFIED = "deidentified";

export interface Environment {
  readonly encoder: Encoder;
  readonly read: Read;
  readonly spool: Spool;
  /** Encodes a strip elsewhere; absent: here. */
  readonly strips?: { readonly atATime: number; encode(task: StripTask): Promise<Strip> };
  /** Called with the tiles that are encoded, and with all. */
  progress?(done: number, total: number): void;
  readonly signal?: AbortSignal;
}

export interface EncodedVersion {
  readonly digest: string;
  readonly manifest: { readonly [name: string]: Value };
  /** The files of the version by their paths (ST2); complete after the spool's `finish`. */
  files(): Map<string, Entry>;
  /** The pixels of the top level. */
  readonly overview: Pixels;
  /** Bytes of all layers. */
  readonly codedBytes: number;
  /** Of level 0, in dB; null: it was not measured. */
  readonly psnr: number | null;
}

/** A requested PSNR that was missed, and `auto` with too many bytes, encode the slide again (ST66, ST67). */
export async function encodeSlide(
  source: SourceFacts,
  quality: LocalQuality,
  environment: Environment,
): Promise<EncodedVersion> {
  const { encoder, read, signal, spool } = environment;
  const maxBytes = source.tileBytes || source.bytes;
  const chooser = await Chooser.of(encoder, read, quality, { ...source, maxBytes });
  for (;;) {
    signal?.throwIfAborted();
    const { current } = chooser;
    const codec = { ...current.codec, key: keyOfSlide(source, current.codec) };
    const made = new Making(source, codec, environment);
    await made.run();
    const version = await made.complete(current);
    if (!chooser.again({ bytes: version.codedBytes, psnr: version.psnr })) return version;
    spool.clear();
  }
}

/** The key of a slide: its own for every source and choice of parameters (ST78). */
function keyOfSlide({ fingerprint, width, height }: SourceFacts, codec: Codec): string {
  const named = { fingerprint, size: [width, height, 1, CHANNELS], codec: codec as unknown as Value };
  return sha256(utf8(canonical(named))).slice(0, 32);
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

interface Finished {
  readonly record: UnitRecord;
  readonly content: Content | null;
  readonly crc: number;
  /** Where the block of each slot begins. */
  readonly offsets: ReadonlyMap<number, number>;
}

interface StoredMeans extends Size {
  readonly ticket: Ticket;
}

class Making {
  private readonly plan: Plan;
  private readonly finished = new Map<string, Finished>();
  /** By unit and strip. */
  private readonly means = new Map<string, StoredMeans>();
  private done = 0;

  constructor(
    private readonly source: SourceFacts,
    private readonly codec: Codec,
    private readonly env: Environment,
  ) {
    this.plan = new Plan(source.width, source.height);
  }

  /** Encodes everything: units in order, so many strips at a time; a unit begins when its children are finished. */
  async run(): Promise<void> {
    const most = this.env.strips?.atATime ?? 1;
    const running = new Set<Promise<void>>();
    const units = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    for (const unit of this.plan.units()) {
      for (const child of this.plan.children(unit)) await units.get(keyOf(child));
      const strips: Promise<Strip>[] = [];
      for (let strip = 0; strip < this.plan.strips(unit); strip += 1) {
        while (running.size >= most) await Promise.race(running);
        this.env.signal?.throwIfAborted();
        if (failures.length > 0) throw failures[0];
        const made = this.strip(unit, strip);
        const settled: Promise<void> = made
          .then(
            () => undefined,
            (error: unknown) => void failures.push(error),
          )
          .finally(() => running.delete(settled));
        running.add(settled);
        strips.push(made);
      }
      const whole = Promise.all(strips).then((all) => this.finish(unit, all));
      whole.catch(() => undefined); // the unit above, or the end, gets the error
      units.set(keyOf(unit), whole);
    }
    await Promise.all(units.values());
  }

  private async strip(unit: Unit, strip: number): Promise<Strip> {
    const { width, height } = this.source;
    const [[column], [row]] = [this.plan.columns(unit), this.plan.stripRows(unit, strip)];
    const input = unit.level === 0 ? await this.pixels(unit, strip) : await this.below(unit, strip);
    const task = { size: { width, height }, codec: this.codec, level: unit.level, column, row, input };
    const made = await (this.env.strips?.encode(task) ?? encodeStrip(this.env.encoder, task));
    this.env.signal?.throwIfAborted();
    if (unit.level < this.plan.top) {
      const { data, ...size } = made.means;
      const ticket = this.env.spool.put(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength));
      this.means.set(`${keyOf(unit)} ${strip}`, { ...size, ticket });
    }
    this.done += made.blocks.length;
    this.env.progress?.(this.done, this.plan.total);
    return { ...made, means: { width: 0, height: 0, data: new Int16Array(0) } };
  }

  private pixels(unit: Unit, strip: number): Promise<Pixels> {
    const [[left, right], [top, bottom]] = [this.plan.columns(unit), this.plan.stripRows(unit, strip)];
    const { width, height } = this.source;
    return this.env.read(
      TILE * left,
      TILE * top,
      Math.min(TILE * right, width) - TILE * left,
      Math.min(TILE * bottom, height) - TILE * top,
    );
  }

  /** The means that make a strip. */
  private below(unit: Unit, strip: number): Promise<Means[][]> {
    const one = async (child: Unit, number: number): Promise<Means> => {
      const name = `${keyOf(child)} ${number}`;
      const { ticket, ...size } = this.means.get(name)!;
      this.means.delete(name);
      const bytes = await this.env.spool.take(ticket);
      return { ...size, data: new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) };
    };
    const lines = this.plan.inputs(unit, strip);
    return Promise.all(lines.map((line) => Promise.all(line.map(({ child, strip: n }) => one(child, n)))));
  }

  private finish(unit: Unit, strips: readonly Strip[]): void {
    const blocks = strips.flatMap((strip) => strip.blocks);
    const { layers } = this.codec;
    const lengths = new Uint32Array(layers * blocks.length);
    blocks.forEach(({ sizes }, at) => lengths.set(sizes, layers * at));
    const [left, right] = this.plan.columns(unit);
    const bySlot = new Map(
      blocks.map((block, at) => [SHARD * Math.floor(at / (right - left)) + (at % (right - left)), block] as const),
    );
    const { parts, offsets } =
      unit.level === this.plan.top ? { parts: [blocks[0]!.bytes], offsets: new Map([[0, 0]]) } : shardOf(bySlot);
    const content = parts.some(({ length }) => length > 0) ? this.env.spool.store(parts) : null;
    const record = {
      length: content?.size ?? 0,
      sha256: content ? sha256(...parts) : "0".repeat(64),
      lengths,
    };
    this.finished.set(keyOf(unit), { record, content, crc: crc32(parts), offsets });
  }

  async complete({ chosen, tiles }: Choice): Promise<EncodedVersion> {
    const { plan, codec, source } = this;
    const records = new Map([...this.finished].map(([name, { record }]) => [name, record]));
    const levels = Array.from({ length: plan.top + 1 }, (_, level) => level);
    const sets = levels.map((level) => this.env.encoder.set(codec, level, level === plan.top));
    const hex = sets.map((set) => Array.from(set, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    const index = layerIndex(plan, records, codec.layers, sets) as Uint8Array<ArrayBuffer>;
    const isStored = (x: number, y: number): boolean =>
      (plan.top === 0 ? records.get(keyOf({ level: 0, sx: 0, sy: 0 }))!.lengths : this.lengths(0, x, y)).some(
        (length) => length > 0,
      );
    const measuredOn = tiles.length > 0 ? tiles : tilesWithTissue(plan, isStored);
    const block = (level: number, x: number, y: number): Promise<Layers> => this.block(level, x, y);
    const psnr = await measured(this.env.encoder, plan, codec, measuredOn, this.env.read, block);
    const runs = occupancy(plan, records, codec.layers);
    const [mppX, mppY] = [positive(source.mppX), positive(source.mppY)];
    const sums = byteSums(plan, records, codec.layers);
    const body: { readonly [name: string]: Value } = {
      format: "wavescope",
      version: "1.0",
      width: source.width,
      height: source.height,
      tile: TILE,
      levels: plan.top + 1,
      planes: 1,
      plane_spacing_um: null,
      channels: CHANNELS,
      channel_groups: 1,
      bit_depth: 8,
      signed: false,
      profile: codec.profile,
      layers: codec.layers,
      mpp: mppX === null || mppY === null ? null : { x: new Real(mppX), y: new Real(mppY) },
      objective_power: realOrNull(positive(source.objective)),
      vendor: source.vendor ?? null,
      icc: source.icc !== undefined,
      icc_sha256: source.icc ? sha256(source.icc) : null,
      codec: codec as unknown as Value,
      parameters: hex.map((set) => [set]),
      index_page: PAGE,
      source: {
        name: DEIDENTIFIED,
        format: source.format,
        bytes: source.bytes,
        tile_bytes: source.tileBytes,
        fingerprint: source.fingerprint,
      },
      bytes: sums,
      layer_index: { bytes: index.length, sha256: sha256(index) },
      quality: { tiles: measuredOn.length, psnr },
      chosen,
      ...(runs && { empty: { plane: 0, runs } }),
    };
    const digest = sha256(utf8(canonical(body))).slice(0, 32);
    const manifest = { ...body, digest };
    const files = (): Map<string, Entry> => {
      const found = new Map([["layer-index", entry("layer-index", index)]]);
      const add = (path: string, bytes: Uint8Array<ArrayBuffer>): void => void found.set(path, entry(path, bytes));
      add("manifest.json", utf8(canonical(manifest)));
      if (source.icc) add("icc", source.icc);
      for (const [path, text] of zarrDocuments(plan, CHANNELS, hex, manifest)) add(path, utf8(text));
      for (const unit of plan.units()) {
        const { content, crc } = this.finished.get(keyOf(unit))!;
        const path =
          unit.level === plan.top ? "approximation/c.0.0.0.0" : `levels/${unit.level}/c.0.0.0.${unit.sy}.${unit.sx}`;
        if (content) found.set(path, { path, size: content.size, crc, content: content.blob() });
      }
      return found;
    };
    const overview = await this.overview(sets[plan.top]!);
    const codedBytes = sums.flat().reduce((sum, one) => sum + one, 0);
    return { digest, manifest, files, overview, codedBytes, psnr: psnr[0]!.at(-1)?.value ?? null };
  }

  /** The pixels of the top tile. */
  private async overview(set: Uint8Array): Promise<Pixels> {
    const { kernel } = this.env.encoder;
    const parameters = kernel.readParameters(set);
    const layers = layersOf(await this.block(this.plan.top, 0, 0));
    const samples = kernel.decodeApproximation({ parameters, address: { z: 0, x: 0, y: 0 }, layers });
    return pixelsOf(this.env.encoder, samples, parameters, this.plan.pyramid.tileSize(this.plan.top, 0, 0));
  }

  private lengths(level: number, x: number, y: number): Uint32Array {
    const records = { get: (name: string) => this.finished.get(name)?.record } as ReadonlyMap<string, UnitRecord>;
    return lengthsAt(this.plan, records, this.codec.layers, level, x, y);
  }

  private async block(level: number, x: number, y: number): Promise<Layers> {
    const unit = { level, sx: Math.floor(x / SHARD), sy: Math.floor(y / SHARD) };
    const { content, offsets } = this.finished.get(keyOf(unit))!;
    const sizes = [...this.lengths(level, x, y)];
    const size = sizes.reduce((sum, one) => sum + one, 0);
    const from = offsets.get(SHARD * (y % SHARD) + (x % SHARD));
    if (size === 0 || !content || from === undefined) return NO_LAYERS;
    return { sizes, bytes: await content.read(from, from + size) };
  }
}

const entry = (path: string, content: Uint8Array<ArrayBuffer>): Entry => ({
  path,
  size: content.length,
  crc: crc32([content]),
  content,
});

/** A measure that can be one; files claim zero, infinity and worse. */
const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
