import { expect, it } from "vitest";
import { TileHandle } from "./handle";
import { fakeBitmap } from "./testing";

const handleOf = (): TileHandle => new TileHandle(0, 1, 2, { width: 256, height: 256 });

it("closes the former bitmap when a better picture is shown, and the last when the last user leaves", () => {
  const handle = handleOf().retain().retain();
  const [first, second] = [fakeBitmap(), fakeBitmap()];
  handle.show({ bitmap: first, z: 0, layers: 1 });
  handle.show({ bitmap: second, z: 0, layers: 2 });
  expect([first.closed, second.closed]).toEqual([true, false]);
  handle.release();
  expect(second.closed).toBe(false);
  handle.release();
  expect(second.closed).toBe(true);
  expect(handle.inUse).toBe(false);
});

it("is drawable with a picture or with a mark of damage, and weighs what its bitmap weighs", () => {
  const handle = handleOf();
  expect(handle.drawable).toBe(false);
  handle.damage = "corrupt";
  expect([handle.drawable, handle.bytes]).toEqual([true, 0]);
  handle.show({ bitmap: fakeBitmap(), z: 0, layers: 1 });
  expect(handle.bytes).toBe(256 * 256 * 4);
});
