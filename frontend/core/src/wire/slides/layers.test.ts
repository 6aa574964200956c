import { expect, it } from "vitest";
import { splitLayers } from "./layers";
import { fakeLayer } from "../testing";

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

it("cuts layers apart by the lengths they begin with (CS5)", () => {
  const layers = [fakeLayer(0, 30), fakeLayer(1, 5), fakeLayer(2, 300), fakeLayer(3, 70_000)];
  expect(splitLayers(joined(...layers))).toEqual(layers);
  expect(splitLayers(new Uint8Array())).toEqual([]);
});

it("refuses every other number of bytes", () => {
  const all = joined(fakeLayer(0, 30), fakeLayer(1, 20));
  for (let length = 1; length < all.length; length += 1)
    if (length !== 30) expect(splitLayers(all.slice(0, length)), String(length)).toBeNull();
  expect(splitLayers(joined(all, Uint8Array.of(0)))).toBeNull();
});

it("refuses lengths that cannot be, or are not in their shortest form (CS7)", () => {
  const rest = new Array<number>(40).fill(7);
  for (const length of [[0], [3], [41], [0x84, 0], [0xff, 0xff, 0xff, 0xff, 1], [0x80, 0x80, 0x80, 0x80]])
    expect(splitLayers(Uint8Array.from([...length, ...rest])), String(length)).toBeNull();
});
