import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tilesInRegion } from "@wavescope/core/geometry/field";
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { BlockCache } from "@wavescope/core/tiles/blockCache";
import { planFetch } from "@wavescope/core/tiles/plan";
import { sharpLayers } from "@wavescope/core/tiles/sharpness";
import { occupancyMapOf } from "@wavescope/core/wire/slides/occupancyMap";
import { testManifest } from "@wavescope/core/wire/testing";
import { firstTiles, viewQuery } from "./opening";

interface Case {
  readonly name: string;
  readonly slide: {
    readonly width: number;
    readonly height: number;
    readonly planes: number;
    readonly layers: number;
    readonly psnr: readonly (readonly (number | null)[])[] | null;
    readonly empty: { readonly plane: number; readonly runs: number[][] };
  };
  readonly view: {
    readonly width: number;
    readonly height: number;
    readonly level?: number;
    readonly x?: number;
    readonly y?: number;
    readonly z?: number;
  };
  readonly blocks: readonly (readonly number[])[];
}

const FILE = new URL("../../../../shared/vectors/first-view/blocks.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(FILE, "utf8")) as { cases: readonly Case[] };
/** A window whose picture has as many pixels as the view. */
const windowOf = ({ width, height }: Case["view"]) => ({ width: width + 44, height: height + 76 });

function planOf({ slide, view }: Case) {
  const pyramid = new Pyramid(slide.width, slide.height);
  const fault = (path: string, rule: string): Error => new Error(`${path}: ${rule}`);
  const blockCache = new BlockCache(pyramid, slide.layers, 1 << 20, occupancyMapOf(slide.empty, pyramid, fault));
  const { details } = testManifest();
  const manifest = {
    ...testManifest({ width: slide.width, height: slide.height, planes: slide.planes, layers: slide.layers }),
    top: pyramid.top,
    details: { ...details, quality: slide.psnr && { tiles: 1, psnr: slide.psnr } },
  };
  const { width, height, level = 0, x = 0, y = 0, z = Math.floor(slide.planes / 2) } = view;
  const drawn = Math.min(level, pyramid.top);
  const region = { l0_x: x, l0_y: y, l0_width: width * 2 ** level, l0_height: height * 2 ** level };
  const tiles =
    view.level === undefined ? firstTiles(manifest, "", windowOf(view), 1) : tilesInRegion(pyramid, z, drawn, region);
  return {
    top: pyramid.top,
    plan: planFetch(tiles, slide.layers, blockCache, sharpLayers(manifest)[tiles[0]?.level ?? 0]),
  };
}

/** A slide whose manifest does not tell of the plane: the service sends nothing, the page reads the layer index. */
const covered = cases.filter(({ slide, view }) => view.z === undefined || view.z === slide.empty.plane);

describe("the service sends what the page would ask for (WI139, WI140)", () => {
  it.each(covered.map((one) => [one.name, one] as const))("%s", (_, one) => {
    const { top, plan } = planOf(one);
    const blocks = one.blocks.filter(([, , level]) => level! < top);
    expect(plan.ranges.map(({ address: a, from, to }) => [a.z, a.c, a.level, a.x, a.y, from, to])).toEqual(blocks);
    const approximation = one.blocks.filter(([, , level]) => level === top);
    const layers = approximation.flatMap(([, , , , , from, to]) =>
      Array.from({ length: to! - from! }, (__, i) => from! + i),
    );
    expect(plan.approximations.map(({ layer }) => layer)).toEqual(layers);
    expect(plan.pages).toEqual([]);
  });
});

describe("the view that is asked for before the manifest is here (WI139)", () => {
  const WINDOW = { width: 844, height: 676 };

  it("is the whole slide in device pixels where the address has no place", () => {
    expect(viewQuery("", WINDOW, 2)).toEqual({ width: 1600, height: 1200 });
  });

  it("is the rectangle of a link, in pixels of the level that is drawn", () => {
    const place = "#x=1000.5&y=900&plane=3";
    expect(viewQuery(`${place}&scale=1`, WINDOW, 1)).toEqual({
      width: 801,
      height: 600,
      level: 0,
      x: 600,
      y: 600,
      z: 3,
    });
    expect(viewQuery(`${place}&scale=0.25`, WINDOW, 1)).toEqual({
      width: 801,
      height: 600,
      level: 2,
      x: -600,
      y: -300,
      z: 3,
    });
    expect(viewQuery(`${place}&scale=0.4`, WINDOW, 1)).toMatchObject({ level: 1, width: 1001, height: 750 });
  });

  it("is none where the link turns the slide (WI142)", () => {
    expect(viewQuery("#x=1&y=2&scale=1&rotation=90", WINDOW, 1)).toBeNull();
  });
});
