import { expect, it } from "vitest";
import { type Address, address } from "../geometry/pyramid";
import { samplesBytes } from "./chainDecoder";
import { WorkerCacheMirror } from "./workerCacheMirror";
import type { DecodeRequest } from "./protocol";

const CHANNELS = 3;

function request(layers: number, ...path: [level: number, x: number, y: number][]): DecodeRequest {
  const chain = path.map(([level, x, y]) => ({ address: address(0, level, x, y), parameters: "", layers: [] }));
  return { slide: "s", chain, layers, channels: CHANNELS, width: 1, height: 1, output: "pixels" };
}

const levels = ({ chain }: DecodeRequest): number[] => chain.map(({ address: { level } }) => level);
const cachedParentOf = ({ cachedParent }: DecodeRequest): Address | undefined => cachedParent;

it("leaves out what the requests before have brought, with the same number of layers", () => {
  const mirror = new WorkerCacheMirror(100 * samplesBytes(CHANNELS));
  expect(levels(mirror.shorten(request(1, [2, 0, 0], [1, 0, 0], [0, 1, 0])))).toEqual([2, 1, 0]);
  const sibling = mirror.shorten(request(1, [2, 0, 0], [1, 0, 0], [0, 0, 0]));
  expect([levels(sibling), cachedParentOf(sibling)]).toEqual([[0], address(0, 1, 0, 0)]);
  const cousin = mirror.shorten(request(1, [2, 0, 0], [1, 1, 0], [0, 2, 0]));
  expect([levels(cousin), cachedParentOf(cousin)]).toEqual([[1, 0], address(0, 2, 0, 0)]);
  const parent = mirror.shorten(request(1, [2, 0, 0], [1, 1, 0]));
  expect([levels(parent), cachedParentOf(parent)]).toEqual([[], address(0, 1, 1, 0)]);
  expect(levels(mirror.shorten(request(2, [2, 0, 0], [1, 1, 0], [0, 2, 0])))).toEqual([2, 1, 0]);
});

it("expects level 0 never, and what is beyond the budget no more", () => {
  const mirror = new WorkerCacheMirror(2 * samplesBytes(CHANNELS));
  const whole = request(1, [2, 0, 0], [1, 0, 0], [0, 1, 0]);
  mirror.shorten(whole);
  expect(levels(mirror.shorten(whole))).toEqual([0]);
  mirror.shorten(request(1, [2, 1, 0], [1, 2, 0], [0, 4, 0]));
  expect(levels(mirror.shorten(whole))).toEqual([2, 1, 0]);
});
