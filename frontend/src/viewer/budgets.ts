/** How many bytes the microscope may keep, by kind. Decoded data (samples and bitmaps) stays well within 512 MB. */
export interface Budgets {
  /** Samples of parents in all workers. */
  readonly samples: number;
  /** Pictures of tiles. */
  readonly bitmaps: number;
  /** Compressed layers. */
  readonly compressed: number;
}

const MIB = 1 << 20;

/** `deviceMemory` is in GiB, where the browser tells it (at most 8). */
export function budgetsFor(deviceMemory: number | undefined): Budgets {
  if ((deviceMemory ?? 8) <= 2) return { samples: 48 * MIB, bitmaps: 96 * MIB, compressed: 32 * MIB };
  return { samples: 128 * MIB, bitmaps: 192 * MIB, compressed: 96 * MIB };
}
