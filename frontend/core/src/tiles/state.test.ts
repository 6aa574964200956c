import { expect, it } from "vitest";
import { type TileShown, type TileState, fidelityOf } from "./state";

const tile = (state: TileShown, plane: number | null = 0): TileState => ({
  z: 0,
  level: 0,
  x: 0,
  y: 0,
  K: 1,
  stored: 2,
  state,
  plane,
  current: plane === 0,
  width: 256,
  height: 256,
  reason: null,
});

it.each([
  ["exact", [tile("exact"), tile("exact")]],
  ["refining", [tile("exact"), tile("preview"), tile("sharp")]],
  ["sharp", [tile("exact"), tile("sharp")]],
  ["preview", [tile("exact"), tile("preview"), tile("missing", null)]],
  ["preview", [tile("exact"), tile("preview", 1)]],
  ["damaged", [tile("missing", null), tile("damaged")]],
] as const)("a field is %s when its worst tile is", (fidelity, tiles) => {
  expect(fidelityOf(tiles)).toBe(fidelity);
});
