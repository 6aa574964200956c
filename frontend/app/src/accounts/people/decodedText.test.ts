import { expect, it } from "vitest";
import { decodedText } from "./decodedText";

it.each([
  ["UTF-8", [0xef, 0xbb, 0xbf, 0x4a, 0xc3, 0xb6]],
  ["UTF-8 without a mark", [0x4a, 0xc3, 0xb6]],
  ["Windows-1252", [0x4a, 0xf6]],
])("AC61: a file in %s is read", (_, bytes) => {
  expect(decodedText(new Uint8Array(bytes).buffer)).toBe("Jö");
});
