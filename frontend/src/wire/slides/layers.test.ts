import { expect, it } from "vitest";
import { splitLayers } from "./layers";
import { fakeLayer } from "../testing";

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

it("cuts layers apart by the lengths they begin with", () => {
  const layers = [fakeLayer(0, 30), fakeLayer(1, 12), fakeLayer(2, 300)];
  expect(splitLayers(joined(...layers))).toEqual(layers);
  expect(splitLayers(new Uint8Array())).toEqual([]);
});

it("refuses every other number of bytes", () => {
  const whole = joined(fakeLayer(0, 30), fakeLayer(1, 20));
  for (let length = 1; length < whole.length; length += 1)
    if (length !== 30) expect(splitLayers(whole.slice(0, length)), String(length)).toBeNull();
  expect(splitLayers(joined(whole, Uint8Array.of(0)))).toBeNull();
});

it("refuses what does not begin as a layer and lengths that cannot be", () => {
  expect(splitLayers(fakeLayer(0, 30).fill(1, 0, 1))).toBeNull();
  for (const length of [0, 11, 31, 0xffffffff]) {
    const layer = fakeLayer(0, 30);
    new DataView(layer.buffer).setUint32(4, length, true);
    expect(splitLayers(layer), String(length)).toBeNull();
  }
});
