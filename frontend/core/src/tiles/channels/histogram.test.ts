import { describe, expect, it } from "vitest";
import { BINS, endsFor, histogramOf } from "./histogram";

const DEEP = { least: 0, most: 65535 };

describe("a histogram", () => {
  it("counts every sample once, between ends that contain all of them", () => {
    const values = Uint16Array.from({ length: 5000 }, (_, i) => 100 + ((i * 37) % 3000));
    const { from, to, counts } = histogramOf(values, DEEP)!;
    expect(counts).toHaveLength(BINS);
    expect(counts.reduce((sum, one) => sum + one)).toBe(5000);
    expect(from).toBe(0); // 100 less half of what they are apart, but not below the least sample
    expect(to).toBe(3099 + 1500);
    const first = counts.findIndex((count) => count > 0);
    expect(first).toBe(Math.floor((100 * BINS) / (to - from + 1)));
  });

  it("leaves out a thousandth at each end for the contrast", () => {
    const values = Int16Array.from({ length: 10001 }, (_, i) => i - 5000);
    values[0] = -32768;
    values[10000] = 32767;
    expect(histogramOf(values, { least: -32768, most: 32767 })!.contrast).toEqual({ low: -4990, high: 4990 });
  });

  it("has a window of one sample where all are alike, also at the end of the range", () => {
    expect(histogramOf(Uint8Array.of(7, 7, 7), { least: 0, most: 255 })!.contrast).toEqual({ low: 7, high: 8 });
    expect(histogramOf(Uint16Array.of(65535), DEEP)!.contrast).toEqual({ low: 65534, high: 65535 });
    expect(histogramOf(new Uint8Array(0), DEEP)).toBeNull();
  });

  it("gives a slider ends that contain its window, and steps that can be seen", () => {
    const histogram = histogramOf(Uint16Array.of(1000, 3000), DEEP);
    expect(endsFor(histogram, { low: 500, high: 2000 }, DEEP)).toEqual({ min: 0, max: 4000, step: 16 });
    expect(endsFor(histogram, { low: 5, high: 60000 }, DEEP)).toEqual({ min: 0, max: 60000, step: 240 });
    expect(endsFor(null, { low: 5, high: 6 }, DEEP)).toEqual({ min: 0, max: 65535, step: 262 });
  });
});
