import { expect, it } from "vitest";
import type { TileState } from "@wavescope/core/tiles/state";
import { qualityOf } from "./viewState";

const tile = (change: Partial<TileState>): TileState => ({
  z: 0,
  level: 0,
  x: 0,
  y: 0,
  K: 2,
  stored: 2,
  state: "exact",
  plane: 0,
  current: true,
  width: 256,
  height: 256,
  reason: null,
  ...change,
});

it("tells of the least refined tile, and of each damage once", () => {
  const corrupt = tile({ K: 1, state: "damaged", reason: "a checksum does not fit" });
  expect(qualityOf([tile({}), corrupt, corrupt], 2)).toEqual({
    fidelity: "damaged",
    damage: ["a checksum does not fit"],
    layers: 1,
  });
});

it("gives the same value frame after frame where there is no damage: who shows it is not rendered anew", () => {
  expect(qualityOf([tile({})], 2).damage).toBe(qualityOf([tile({ K: 1, state: "preview" })], 2).damage);
});
