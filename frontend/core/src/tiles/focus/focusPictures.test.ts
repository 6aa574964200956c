import { describe, expect, it, vi } from "vitest";
import { address } from "../../geometry/pyramid";
import { stub } from "../../stub";
import { FocusPictures, type PlanePictures } from "./focusPictures";

const tile = address(1, 0, 4, 2);
const VALUES = { width: 1, height: 1, values: Uint16Array.of(7) };

function opened(here: readonly { layers: number; attainable: number; reason: string | null }[]) {
  const bitmap = stub<ImageBitmap>({ width: 1 });
  const planes = {
    fetch: vi.fn(),
    prefetch: vi.fn(),
    availability: vi.fn(({ z }: { z: number }) => here[z]!),
    make: vi.fn(() => Promise.resolve(null)),
    values: vi.fn(() => Promise.resolve(null)),
    fetched: vi.fn(() => Promise.resolve()),
    requestFor: vi.fn((one: typeof tile) => ({
      slide: "s",
      layers: 2,
      channels: 3,
      width: 9,
      height: 9,
      chain: [{ address: { ...one, level: 1 } }, { address: one }],
    })),
    failed: vi.fn(() => null),
    close: vi.fn(),
  };
  const pool = {
    bitmap: vi.fn(() => Promise.resolve(bitmap)),
    pixels: vi.fn(),
    values: vi.fn(() => Promise.resolve(VALUES)),
    reprioritise: vi.fn(),
    memory: vi.fn(),
    close: vi.fn(),
  };
  const openPool = vi.fn(() => stub<ReturnType<ConstructorParameters<typeof FocusPictures>[0]["openPool"]>>(pool));
  const changed = vi.fn();
  const pictures = new FocusPictures({ pictures: stub<PlanePictures>(planes), planes: here.length, openPool, changed });
  return { pictures, planes, pool, openPool, changed, bitmap };
}

const WHOLE = { layers: 3, attainable: 3, reason: null };

describe("pictures of single planes (ZS3)", () => {
  it("go past, and start no worker", async () => {
    const { pictures, planes, openPool } = opened([WHOLE, WHOLE, WHOLE]);
    pictures.fetch({ tiles: [tile], layers: 3 });
    expect(planes.fetch).toHaveBeenCalledWith({ tiles: [tile], layers: 3 });
    await pictures.make(tile, 3, () => 0);
    expect([planes.make.mock.calls.length, openPool.mock.calls.length, pictures.variant]).toEqual([1, 0, ""]);
    expect(pictures.ownVariant).toBe(pictures.variant);
  });
});

describe("extended depth of field (ZS3, ZS6)", () => {
  it("is another variant, for which all planes of what is in view are fetched", () => {
    const { pictures, planes, changed } = opened([WHOLE, WHOLE, WHOLE]);
    pictures.fetch({ tiles: [tile], layers: 3 });
    const before = pictures.variant;
    pictures.setExtended(true);
    expect(pictures.variant).not.toBe(before);
    expect(planes.fetch).toHaveBeenLastCalledWith({ tiles: [0, 1, 2].map((z) => ({ ...tile, z })), layers: 3 });
    expect(changed).toHaveBeenCalledOnce();
    pictures.setExtended(false);
    expect(planes.fetch).toHaveBeenLastCalledWith({ tiles: [tile], layers: 3 });
    expect(pictures.variant).toBe(before);
  });

  it("has as many layers as the plane with the fewest, and the reason of the one that is damaged", () => {
    const damaged = { layers: 2, attainable: 2, reason: "checksum" };
    const { pictures } = opened([WHOLE, damaged, { layers: 1, attainable: 3, reason: null }]);
    pictures.setExtended(true);
    expect(pictures.availability(tile)).toEqual({ layers: 1, attainable: 2, reason: "checksum" });
  });

  it("is made in a worker of the chains of all planes", async () => {
    const { pictures, pool, bitmap } = opened([WHOLE, WHOLE]);
    pictures.setExtended(true);
    expect(await pictures.make(tile, 2, () => 0)).toBe(bitmap);
    const [request] = pool.bitmap.mock.calls[0] as unknown as [
      { planes: { address: { z: number } }[][]; chain: unknown[] },
    ];
    expect(request.planes.map((chain) => chain.map((link) => link.address.z))).toEqual([
      [0, 0],
      [1, 1],
    ]); // prettier-ignore
    expect(request.chain).toHaveLength(1);
  });

  it("gives the samples of one channel, too, once all planes are here (ZS8)", async () => {
    const { pictures, planes, pool } = opened([WHOLE, WHOLE]);
    await pictures.values(tile, 2);
    expect([planes.values.mock.calls.length, pool.values.mock.calls.length]).toEqual([1, 0]);
    pictures.setExtended(true);
    expect(await pictures.values(tile, 2)).toBe(VALUES);
    expect(planes.fetched.mock.calls).toEqual([0, 1].map((z) => [{ ...tile, z }, 2]));
    pool.values.mockRejectedValueOnce(new Error("corrupt"));
    expect(await pictures.values(tile, 2)).toBeNull();
  });

  it("tells of a tile that cannot be made as of any other, and ends its workers", async () => {
    const { pictures, planes, pool } = opened([WHOLE, WHOLE]);
    pictures.setExtended(true);
    pool.bitmap.mockRejectedValueOnce(new Error("corrupt"));
    expect(await pictures.make(tile, 2, () => 0)).toBeNull();
    expect(planes.failed).toHaveBeenCalledOnce();
    pictures.close();
    expect([pool.close.mock.calls.length, planes.close.mock.calls.length]).toEqual([1, 1]);
  });
});
