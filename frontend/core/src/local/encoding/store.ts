/** The files of a slide version (ST2): shards, pages and directory of the layer index, the documents of Zarr. */
import { TILE } from "../../geometry/pyramid";
import { bytesOfHex } from "../../wire/slides/hexadecimal";
import { pageSeed } from "../../wire/slides/layerIndex";
import { crc32c } from "../../wire/stored/crc32c";
import { Bytes } from "./bytes";
import { HALF, type Layers } from "./encoder";
import { type Value, indented } from "./json";
import { PAGE, type Plan, SHARD, type Unit, keyOf } from "./plan";

const SHARD_BLOCKS = SHARD * SHARD;
const BANDS = 3;

/** The row-major slots of a shard in Z order. */
const Z_ORDER = Array.from({ length: SHARD_BLOCKS }, (_, position) => {
  let [x, y] = [0, 0];
  for (let bit = 0; bit < Math.log2(SHARD); bit += 1) {
    x |= ((position >> (2 * bit)) & 1) << bit;
    y |= ((position >> (2 * bit + 1)) & 1) << bit;
  }
  return y * SHARD + x;
});

/** The parts of a shard from its blocks by slot (ST10 to ST12); none if every block is empty. `offsets` of the blocks by slot. */
export function shardOf(blocks: ReadonlyMap<number, Layers>): { parts: Uint8Array[]; offsets: Map<number, number> } {
  const parts: Uint8Array[] = [];
  const offsets = new Map<number, number>();
  let at = 0;
  for (const slot of Z_ORDER) {
    const bytes = blocks.get(slot)?.bytes;
    if (!bytes?.length) continue;
    offsets.set(slot, at);
    parts.push(bytes);
    at += bytes.length;
  }
  if (parts.length === 0) return { parts, offsets };
  const index = new Bytes();
  for (let slot = 0; slot < SHARD_BLOCKS; slot += 1) {
    const offset = offsets.get(slot);
    if (offset === undefined) index.u32(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);
    else index.u64(offset, blocks.get(slot)!.bytes.length);
  }
  return { parts: [...parts, index.withChecksum()], offsets };
}

/** What the layer index says of a finished unit. */
export interface UnitRecord {
  readonly length: number;
  /** In hexadecimal; of no file zeros. */
  readonly sha256: string;
  /** By row, column and layer of its tiles. */
  readonly lengths: Uint32Array;
}

/** By `keyOf` of each unit. */
export type Records = ReadonlyMap<string, UnitRecord>;

/** Lengths of the layers of a block. */
export function lengthsAt(
  plan: Plan,
  records: Records,
  layers: number,
  level: number,
  x: number,
  y: number,
): Uint32Array {
  const unit: Unit = { level, sx: Math.floor(x / SHARD), sy: Math.floor(y / SHARD) };
  const [[left, right], [top]] = [plan.columns(unit), plan.rows(unit)];
  const at = layers * ((y - top) * (right - left) + x - left);
  return records.get(keyOf(unit))!.lengths.subarray(at, at + layers);
}

/** The file `layer-index` (ST20, ST30). `sets`: the parameter set of each level. */
export function layerIndex(plan: Plan, records: Records, layers: number, sets: readonly Uint8Array[]): Uint8Array {
  const pages: Uint8Array[] = [];
  const shards: UnitRecord[] = [];
  for (let level = 0; level < plan.top; level += 1) {
    const { columns, rows } = plan.grid(level, PAGE);
    for (let page = 0; page < columns * rows; page += 1)
      pages.push(pageOf(plan, records, layers, level, page, pageSeed(sets[level]!, 0, page)));
    const grid = plan.grid(level, SHARD);
    for (let sy = 0; sy < grid.rows; sy += 1)
      for (let sx = 0; sx < grid.columns; sx += 1) shards.push(records.get(keyOf({ level, sx, sy }))!);
  }
  const size = 24 + 12 * pages.length + 40 * shards.length + 40 + 4 * layers + 4;
  const directory = new Bytes().text("WSLX").u8(1, layers, plan.top, PAGE).u32(1, pages.length, shards.length, size);
  let offset = size;
  for (const page of pages) {
    directory.u64(offset).u32(page.length);
    offset += page.length;
  }
  for (const { length, sha256 } of shards) directory.u64(length).add(bytesOfHex(sha256));
  const top = records.get(keyOf({ level: plan.top, sx: 0, sy: 0 }))!;
  directory
    .u64(top.length)
    .add(bytesOfHex(top.sha256))
    .u32(...top.lengths);
  return concatenated([directory.withChecksum(crc32c(sets[plan.top]!)), ...pages]);
}

function pageOf(plan: Plan, records: Records, layers: number, level: number, page: number, seed: number): Uint8Array {
  const across = plan.grid(level, PAGE).columns;
  const tiles = plan.pyramid.tiles(level);
  const [left, top] = [PAGE * (page % across), PAGE * Math.floor(page / across)];
  const [columns, rows] = [Math.min(PAGE, tiles.columns - left), Math.min(PAGE, tiles.rows - top)];
  const bytes = new Bytes().text("WSLI").u8(1, layers, columns, rows);
  for (let y = top; y < top + rows; y += 1)
    for (let x = left; x < left + columns; x += 1)
      for (const length of lengthsAt(plan, records, layers, level, x, y)) bytes.leb128(length);
  return bytes.withChecksum(seed);
}

const MAX_RUNS = 8192;

/** Runs of stored and empty blocks (ST61); null where there are too many. */
export function occupancy(plan: Plan, records: Records, layers: number): number[][] | null {
  const levels: number[][] = [];
  let left = MAX_RUNS;
  for (let level = 0; level < plan.top; level += 1) {
    const { columns, rows } = plan.pyramid.tiles(level);
    const runs = [0];
    let stored = true;
    for (let at = 0; at < columns * rows; at += 1) {
      const lengths = lengthsAt(plan, records, layers, level, at % columns, Math.floor(at / columns));
      if (lengths.some((length) => length > 0) !== stored) {
        stored = !stored;
        runs.push(0);
      }
      runs[runs.length - 1]! += 1;
    }
    left -= runs.length;
    if (left < 0) return null;
    levels.push(runs);
  }
  return levels;
}

/** Stored bytes per level and layer. */
export function byteSums(plan: Plan, records: Records, layers: number): number[][] {
  const sums = Array.from({ length: plan.top + 1 }, () => Array.from({ length: layers }, () => 0));
  for (const unit of plan.units())
    records.get(keyOf(unit))!.lengths.forEach((length, at) => (sums[unit.level]![at % layers]! += length));
  return sums;
}

const INDEX_CODECS: readonly Value[] = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];

/** Every zarr.json of a version by its path (ST14 to ST16). */
export function zarrDocuments(
  plan: Plan,
  channels: number,
  sets: readonly string[],
  manifest: Value,
): Map<string, string> {
  const group = (attributes: Value): Value => ({ zarr_format: 3, node_type: "group", attributes });
  const codec = (name: string, level: number): Value => ({ name, configuration: { parameters: [sets[level]!] } });
  const found = new Map([
    ["zarr.json", indented(group({ wavescope: manifest }))],
    [
      "approximation/zarr.json",
      indented(
        array([1, channels, TILE, TILE], [1, channels, TILE, TILE], codec("wavescope.approximation", plan.top), [
          "z",
          "channel",
          "y",
          "x",
        ]),
      ),
    ],
  ]);
  if (plan.top > 0) found.set("levels/zarr.json", indented(group({})));
  for (let level = 0; level < plan.top; level += 1) {
    const { columns, rows } = plan.pyramid.tiles(level);
    const sharding: Value = {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [1, channels, BANDS, HALF, HALF],
        codecs: [codec("wavescope.block", level)],
        index_codecs: INDEX_CODECS,
        index_location: "end",
      },
    };
    const shape = [1, channels, BANDS, HALF * rows, HALF * columns];
    const chunk = [1, channels, BANDS, SHARD * HALF, SHARD * HALF];
    found.set(`levels/${level}/zarr.json`, indented(array(shape, chunk, sharding, ["z", "channel", "band", "y", "x"])));
  }
  return found;
}

const array = (shape: number[], chunk: number[], codec: Value, names: string[]): Value => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "int16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
  chunk_key_encoding: { name: "default", configuration: { separator: "." } },
  fill_value: 0,
  codecs: [codec],
  attributes: {},
  dimension_names: names,
  storage_transformers: [],
});

export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
