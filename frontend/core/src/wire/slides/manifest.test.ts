import { describe, expect, it } from "vitest";
import { SlideList as isSlideList } from "../generated/galleryValidators";
import { PreviewView as isPreview } from "../generated/laterValidators";
import { ManifestView as isManifest } from "../generated/validators";
import { checked } from "../http/contract";
import { ContractError } from "../http/errors";
import { servedManifest, testManifest } from "../testing";
import { manifestOf } from "./manifest";

const served = servedManifest({
  width: 1025,
  height: 513,
  planes: 2,
  plane_spacing_um: 1.5,
  mpp: { x: 0.25, y: 0.25 },
  bytes: [
    [1, 2],
    [3, 4],
  ],
});

describe("a manifest", () => {
  it("becomes what the page works with", () => {
    expect(testManifest(served)).toMatchObject({
      top: 3,
      layers: 2,
      planes: 2,
      bytes: 10,
      sourceName: "a.svs",
      mpp: { x: 0.25 },
    });
  });

  it.each([
    ["no width", { width: undefined }, "/width"],
    ["a width of nothing", { width: 0 }, "/width"],
    ["a width that is not whole", { width: 1.5 }, "/width"],
    ["tiles of another size", { tile: 512 }, "/tile"],
    ["another major version (ST79, WI90)", { version: "2.0" }, "/version"],
    ["more than 8 bits (ST79)", { bit_depth: 16 }, "/bit_depth"],
    ["signed samples (ST79)", { signed: true }, "/bit_depth"],
    ["parameter sets of another number of levels (ST3)", { parameters: [] }, "/parameters"],
    ["levels that do not fit its size", { levels: 3 }, "/levels"],
    ["no layers", { layers: 0 }, "/layers"],
    ["65 channels", { channels: 65 }, "/channels"],
    ["a url that is no text", { url: 5 }, "/url"],
    ["an mpp that is no number", { mpp: { x: "wide", y: 1 } }, "/mpp/x"],
    ["runs of another level", { empty: { plane: 0, runs: [[6]] } }, "/empty/runs"],
    ["a run below zero", { empty: { plane: 0, runs: [[7, -1], [2]] } }, "/empty/runs/0/1"],
    ["a run that is not whole", { empty: { plane: 0, runs: [[5.5, 0.5], [2]] } }, "/empty/runs/0/0"],
    ["a run in words", { empty: { plane: 0, runs: [["6"], [2]] } }, "/empty/runs/0/0"],
  ])("with %s is refused", (_, change, path) => {
    const broken: unknown = { ...served, ...change };
    const read = () => manifestOf(checked(broken, isManifest, "GET /slides/s"));
    expect(read).toThrow(ContractError);
    expect(read).toThrow(expect.objectContaining({ path }));
  });

  it("may have members that the contract does not name (WI90)", () => {
    expect(manifestOf(checked({ ...served, later: 1 }, isManifest, "GET /slides/s")).top).toBe(3);
  });

  it("of a slide that is still being imported has what its source file tells", () => {
    const { id, title, digest, url, thumbnail, width, height, levels, planes, channels, mpp } = served;
    const preview = { id, title, digest, url, thumbnail, width, height, levels, planes, channels, mpp };
    const document: unknown = { ...preview, objective_power: 40, vendor: null };
    expect(manifestOf(checked(document, isPreview, "GET /jobs/j/preview"))).toMatchObject({
      preview: true,
      layers: 1,
      top: 3,
      bytes: null,
      allowed: null,
      tags: {},
      details: { bytes: [], quality: null },
    });
  });

  it("has no scale where its mpp is zero", () => {
    expect(testManifest({ ...served, mpp: { x: 0, y: 0 } }).mpp).toBeNull();
  });
});

it.each([null, [], "text", 7, { slides: {} }, { slides: [null], total: 1 }, { slides: [], total: -1 }])(
  "the page of slides %j is refused",
  (value) => {
    expect(() => checked<unknown>(value, isSlideList, "GET /slides")).toThrow(ContractError);
  },
);
