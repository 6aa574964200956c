import { expect, it } from "vitest";
import type * as DescribedKernel from "../kernel";
import type * as Described from "../index";
import * as embed from "./index";
import * as kernel from "./kernel";

/** The compiler compares what the package describes with what it has; its tile source is of the page's own OpenSeadragon. */
const described: Omit<typeof Described, "tileSourceOf"> & Pick<typeof embed, "tileSourceOf"> = embed;
const describedKernel: typeof DescribedKernel = kernel;

it("the package describes all that it exports, and can be imported where there is no document (SH20, SH24)", () => {
  expect(Object.keys(described).sort()).toEqual(["WavescopeViewer", "defineViewer", "openSlide", "tileSourceOf"]);
  expect(Object.keys(describedKernel).sort()).toEqual(["CodecError", "KernelMismatch", "decodeTile", "loadKernel"]);
});
