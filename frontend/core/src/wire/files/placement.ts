/** Where blocks are in their shards, from a page of the layer index alone (store.md, ST11 and ST81): no shard index is read. Pure. */
import { CorruptError } from "../http/errors";
import { type LayerIndexPage, PAGE, blockLength } from "../slides/layerIndex";
import { SHARD } from "./directory";

/** Bytes of the index at the end of a shard (ST10). */
export const SHARD_INDEX = 4100;
const CELLS = PAGE * PAGE;

export interface Placement {
  readonly index: LayerIndexPage;
  /** Where each block of the page begins in its shard; row by row, 32 in a row. */
  readonly begins: Float64Array;
  /** Bytes that each of the four shards of the page must have; 0: it must not exist. Row by row. */
  readonly shards: readonly [number, number, number, number];
}

/** The column or row in the Z order: every second bit of a number below 256. */
function everySecondBit(number: number): number {
  let value = 0;
  for (let bit = 0; bit < 4; bit += 1) value |= ((number >> (2 * bit)) & 1) << bit;
  return value;
}

const Z_ORDER = Array.from({ length: SHARD * SHARD }, (_, i) => [everySecondBit(i), everySecondBit(i >> 1)] as const);

export function placementOf(index: LayerIndexPage): Placement {
  const begins = new Float64Array(CELLS);
  const shards = [0, 1, 2, 3].map((quarter) => {
    let end = 0;
    for (const [x, y] of Z_ORDER) {
      const column = x + SHARD * (quarter & 1);
      const row = y + SHARD * (quarter >> 1);
      if (column >= index.columns || row >= index.rows) continue;
      begins[row * PAGE + column] = end;
      end += blockLength(index, column, row, 0, index.layers);
    }
    return end > 0 ? end + SHARD_INDEX : 0;
  });
  return { index, begins, shards: [shards[0]!, shards[1]!, shards[2]!, shards[3]!] };
}

/** Bytes [from, to) of a shard that are the layers of a block; null: the block is empty. `shardBytes`: of the shard as listed. */
export function bytesOfLayers(
  { index, begins, shards }: Placement,
  x: number,
  y: number,
  layers: { readonly from: number; readonly to: number },
  shardBytes: number,
): { readonly from: number; readonly to: number } | null {
  const [column, row] = [x % PAGE, y % PAGE];
  const whole = blockLength(index, column, row, 0, index.layers);
  if (whole === 0) return null;
  const quarter = Math.floor(column / SHARD) + 2 * Math.floor(row / SHARD);
  if (shards[quarter] !== shardBytes) throw new CorruptError("the shard has another length than its blocks (ST48)");
  const from = begins[row * PAGE + column]! + blockLength(index, column, row, 0, layers.from);
  return { from, to: from + blockLength(index, column, row, layers.from, layers.to) };
}
