import { expect, it } from "vitest";
import { tileSourceOf } from "./tileSource";

it.each([
  [2, 4, 2],
  [3, 1, 0],
  [4, 0, 0],
])("OpenSeadragon %i.%i.%i is refused by its version (SH21)", (major, minor, revision) => {
  const library = { TileSource: Object, Rect: Object, version: { major, minor, revision } };
  const message = `tileSourceOf needs OpenSeadragon 4.1 or later, this is ${major}.${minor}.${revision}`;
  expect(() => tileSourceOf(library as never, {} as never)).toThrow(message);
});
