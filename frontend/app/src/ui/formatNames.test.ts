import { expect, it } from "vitest";
import { formatName, vendorName } from "./formatNames";

it.each([
  ["png", "PNG"],
  ["ome-tiff", "OME-TIFF"],
  ["ome-zarr", "OME-Zarr"],
  ["qptiff", "QPTIFF"],
  ["nd2", "ND2"],
  ["aperio", "Aperio"],
  ["generic-tiff", "Generic TIFF"],
  ["focus-series", "Focus series"],
])("the format %s is called %s", (id, name) => {
  expect(formatName(id)).toBe(name);
});

it("a vendor begins with a capital and is left as it is otherwise", () => {
  expect(["aperio", "3DHISTECH", ""].map(vendorName)).toEqual(["Aperio", "3DHISTECH", ""]);
});
