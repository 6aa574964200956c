import { expect, it } from "vitest";
import * as UTIF from "utif2";
import { tiffOf } from "./tiff";

const RGBA = new Uint8ClampedArray([
  1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255, 13, 14, 15, 255, 16, 17, 18, 255,
]);

it("a TIFF of a view has its pixels and their number per cm of the slide (PG70)", async () => {
  const bytes = await tiffOf(RGBA, 3, 2, { x: 40_000, y: 19_999.96 }).arrayBuffer();
  const [picture] = UTIF.decode(bytes);
  UTIF.decodeImage(bytes, picture!);
  expect([picture!.width, picture!.height]).toEqual([3, 2]);
  expect([...UTIF.toRGBA8(picture!)]).toEqual([...RGBA]);
  expect([picture!["t282"], picture!["t283"], picture!["t296"]]).toEqual([[[4_000_000, 100]], [[1_999_996, 100]], [3]]);
});

it("a TIFF of a slide without a scale claims none (PG70)", async () => {
  const [picture] = UTIF.decode(await tiffOf(RGBA, 3, 2, null).arrayBuffer());
  expect(picture!["t296"]).toEqual([1]);
});
