import { afterEach, expect, it, vi } from "vitest";
import { plain } from "@wavescope/viewer/light/adjustments";
import { levelWithin } from "@wavescope/viewer/light/slidePixels";
import { stainViewOf } from "@wavescope/viewer/light/stains";
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { openPage } from "../../fakePage";
import { aloneWith, normalisedTo, ownVectors, storeReference, storedReference } from "./stainChoice";

afterEach(() => vi.unstubAllGlobals());

const own = {
  vectors: [
    [560, 740, 372],
    [216, 848, 484],
  ],
  most: [1, 0.5],
} as const;
const reference = {
  vectors: [
    [590, 700, 402],
    [110, 930, 350],
  ],
  most: [1.5, 0.5],
} as const;

it("SN7: a stain alone has the vectors of the slide if they were estimated", () => {
  expect(aloneWith(2, null)).toEqual({ stain: 2 });
  const entries = aloneWith(2, own.vectors);
  expect(stainViewOf(entries)).toMatchObject({ alone: 1, standard: false });
  expect(ownVectors({ ...plain, stain: entries })).toEqual(own.vectors);
  expect(ownVectors({ ...plain, stain: { stain: 2 } })).toBeNull();
});

it("SN6 SN7: a normalised view has the stains of the reference by their ratios", () => {
  const entries = normalisedTo(reference, own);
  expect(entries).toMatchObject({ stain: 0, stainTo1: [590, 700, 402, 150], stainTo2: [110, 930, 350, 100] });
  expect(stainViewOf(entries)?.alone).toBeNull();
});

it("SN8: the finest level with at most so many pixels", () => {
  const pyramid = new Pyramid(40_000, 30_000);
  expect([levelWithin(pyramid, 2 ** 20), levelWithin(pyramid, 1), levelWithin(new Pyramid(500, 400), 2 ** 20)]).toEqual(
    [6, pyramid.top, 0],
  );
});

it("the browser keeps one reference, and none that is damaged", () => {
  const page = openPage();
  expect(storedReference()).toBeNull();
  storeReference({ ...reference, title: "A" });
  expect(storedReference()).toEqual({ ...reference, title: "A" });
  page.localStorage.setItem("wavescope.stainReference", '{"title":"A","vectors":[[0,0,0],[1,1,1]],"most":[1,1]}');
  expect(storedReference()).toBeNull();
  page.localStorage.setItem("wavescope.stainReference", "{");
  expect(storedReference()).toBeNull();
});
