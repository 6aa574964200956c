import { afterEach, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { labelOf, listFacets } from "./facetsClient";

afterEach(() => vi.unstubAllGlobals());

const facets = [{ name: "vendor", values: [{ value: "a:b", title: "A", count: 3 }] }];

it("WI39: asks for the facets of a search and of chosen labels", async () => {
  const requested = stubFetch({ facets });
  expect(await listFacets("duct", [labelOf("vendor", "a:b"), labelOf("tag.stain", "H&E")])).toEqual(facets);
  expect(requested[0]!.line).toBe("GET /api/v1/facets?label=vendor%3Aa%3Ab&label=tag.stain%3AH%26E&search=duct");
});

it("asks for those of everything without a parameter", async () => {
  const requested = stubFetch({ facets: [] });
  expect(await listFacets("", [])).toEqual([]);
  expect(requested[0]!.line).toBe("GET /api/v1/facets");
});

it("refuses a facet that does not count", async () => {
  stubFetch({ facets: [{ name: "vendor", values: [{ value: "a", title: "A" }] }] });
  const error = await listFacets("", []).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ path: "/facets/0/values/0/count" });
});
