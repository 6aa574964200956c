import { poolSize } from "@wavescope/core/codec/pool";

/** How many bytes a microscope may keep, by kind. Decoded data (samples and bitmaps) stays well within 512 MB. */
export interface Budgets {
  /** Samples of parents in all workers. */
  readonly samples: number;
  /** Pictures of tiles. */
  readonly bitmaps: number;
  /** Compressed layers. */
  readonly compressed: number;
  readonly workers: number;
}

/** What the browser tells of the device. */
export interface Device {
  /** GiB, at most 8; not every browser tells it. */
  readonly deviceMemory?: number;
  readonly hardwareConcurrency?: number;
}

const MIB = 1 << 20;

/** `microscopes`: how many of them share the device. */
export function budgetsFor({ deviceMemory, hardwareConcurrency }: Device, microscopes = 1): Budgets {
  const small = (deviceMemory ?? 8) <= 2;
  const [samples, bitmaps, compressed] = small ? [48, 96, 32] : [128, 192, 96];
  const each = (mebibytes: number): number => (mebibytes * MIB) / microscopes;
  const workers = Math.max(1, Math.floor(poolSize(hardwareConcurrency) / microscopes));
  return { samples: each(samples), bitmaps: each(bitmaps), compressed: each(compressed), workers };
}
