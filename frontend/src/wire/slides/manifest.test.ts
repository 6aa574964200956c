import { describe, expect, it } from "vitest";
import { ShapeError } from "../http/errors";
import { parseManifest, parseSlidePage } from "./manifest";

const served = {
  id: "a b",
  title: "A",
  digest: "0f",
  created: "2026-01-01",
  url: "/api/v1/slides/a%20b/v/0f",
  width: 1025,
  height: 513,
  levels: 3,
  tile: 512,
  planes: 2,
  plane_spacing_um: 1.5,
  channels: 3,
  layers: 2,
  profile: "visual",
  mpp: { x: 0.25, y: 0.25 },
  objective_power: null,
  vendor: null,
  bytes: [
    [1, 2],
    [3, 4],
  ],
  source: { name: "a.svs" },
  thumbnail: "/t",
};

describe("parseManifest", () => {
  it("reads what the service serves", () => {
    const manifest = parseManifest(served);
    expect(manifest).toMatchObject({ top: 2, layers: 2, planes: 2, bytes: 10, sourceName: "a.svs", mpp: { x: 0.25 } });
  });

  it.each([
    ["no width", { width: undefined }],
    ["a width of nothing", { width: 0 }],
    ["a width that is not whole", { width: 1.5 }],
    ["tiles of another size", { tile: 256 }],
    ["levels that do not fit its size", { levels: 4 }],
    ["no layers", { layers: 0 }],
    ["four channels", { channels: 4 }],
    ["a url that is no text", { url: 5 }],
    ["an mpp that is no number", { mpp: { x: "wide", y: 1 } }],
  ])("refuses a manifest with %s", (_, change) => {
    expect(() => parseManifest({ ...served, ...change })).toThrow(ShapeError);
  });

  it.each([null, [], "text", 7, { slides: {} }, { slides: [null], total: 1 }, { slides: [], total: -1 }])(
    "refuses the page %j",
    (value) => {
      expect(() => parseSlidePage(value)).toThrow(ShapeError);
    },
  );

  it("takes an mpp of zero for unknown", () => {
    expect(parseManifest({ ...served, mpp: { x: 0, y: 0 } }).mpp).toBeNull();
  });
});
