import { describe, expect, it } from "vitest";
import type { EdgeSample, EdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";
import { joined, lastSeconds, ofOrigin, rates, ratios, stacked } from "./history";
import { sampleOf, statusOf } from "./testing";

const numbers = (status: EdgeStatus): number[] => status.samples.map((sample) => sample.number);

describe("the samples of an edge", () => {
  it("are joined with those that are known, and start anew after a restart (PG30)", () => {
    const known = statusOf([1, 2, 3].map((number) => sampleOf(number)));
    expect(numbers(joined(known, statusOf([sampleOf(4)])))).toEqual([1, 2, 3, 4]);
    expect(numbers(joined(known, statusOf([])))).toEqual([1, 2, 3]);
    expect(numbers(joined(known, statusOf([sampleOf(1), sampleOf(2)])))).toEqual([1, 2]);
    expect(numbers(joined(undefined, statusOf([sampleOf(7)])))).toEqual([7]);
    const many = statusOf(Array.from({ length: 450 }, (_, i) => sampleOf(i + 1)));
    expect(numbers(joined(many, statusOf([sampleOf(451)]))).at(0)).toBe(2);
  });

  it("give rates per second, and none where the edge was restarted (PG30)", () => {
    const samples = [4, 10, 10, 3, 5].map((misses, i) => sampleOf(i + 1, { misses }));
    expect(rates(samples, (one) => one.misses)).toEqual([null, 3, 0, null, 1]);
  });

  it("give the share of hits, and none where nothing was read (PG30)", () => {
    const samples: EdgeSample[] = [
      sampleOf(1),
      sampleOf(2, { memory_hits: 2, disk_hits: 1, misses: 1 }),
      sampleOf(3, { memory_hits: 2, disk_hits: 1, misses: 1 }),
    ];
    expect(ratios(samples)).toEqual([null, 0.75, null]);
  });

  it("have values of an origin from when it joined (PG30)", () => {
    const early = sampleOf(1, { origins: [] });
    const origin = sampleOf(2).origins[0]!;
    const later = sampleOf(2, { origins: [{ ...origin, number: 1, bytes: 7 }] });
    expect([early, later].map(ofOrigin(1, (one) => one.bytes))).toEqual([null, 7]);
  });

  it("are compared with those of a minute ago, but not over a restart (PG30)", () => {
    const samples = Array.from({ length: 40 }, (_, i) => sampleOf(i + 1, { misses: i }));
    const minute = lastSeconds(samples, 60);
    expect(minute?.map((one) => one.number)).toEqual([10, 40]);
    expect(lastSeconds([...samples, sampleOf(41)], 60)).toBeNull();
    expect(lastSeconds(samples.slice(0, 1), 60)).toBeNull();
  });
});

it("areas lie on top of each other (PG30)", () => {
  expect(
    stacked([
      [1, null],
      [2, 3],
      [4, 5],
    ]),
  ).toEqual([
    [1, null],
    [3, 3],
    [7, 8],
  ]);
});
