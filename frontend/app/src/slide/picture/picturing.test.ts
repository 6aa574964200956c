import { expect, it } from "vitest";
import { PICTURE_PARTS } from "@wavescope/viewer/view/pictureParts";
import { readStored } from "../../state/stored";
import { readPicturing } from "./picturing";

it.each<[string | null, unknown]>([
  [null, { format: "png", parts: PICTURE_PARTS }],
  ["{damaged", { format: "png", parts: PICTURE_PARTS }],
  ['{"format":"tiff","parts":["name","else"]}', { format: "tiff", parts: ["name"] }],
  ['{"format":"bmp","parts":[]}', { format: "png", parts: [] }],
])("what a browser stored of pictures, %j, is read as far as it is known (PG70)", (text, read) => {
  expect(readStored(text, readPicturing)).toEqual(read);
});
