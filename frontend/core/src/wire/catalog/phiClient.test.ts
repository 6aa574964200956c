import { afterEach, expect, it, vi } from "vitest";
import { ContractError, isRefusal } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import { identityImage, identityOf, identityTexts } from "./phiClient";

afterEach(() => vi.unstubAllGlobals());

it("PR42: asks what there is to see without reading any of it", async () => {
  const requested = stubFetch({ images: ["label"], texts: 3 });
  expect(await identityOf("he 1")).toEqual({ images: ["label"], texts: 3 });
  expect(requested.map(({ line }) => line)).toEqual(["GET /api/v1/slides/he%201/identity"]);
});

it("PR42: gives the texts in the service's order", async () => {
  const requested = stubFetch({ texts: { "aperio.User": "ada", "aperio.Date": "01/02/26" } });
  expect(await identityTexts("he")).toEqual([
    ["aperio.User", "ada"],
    ["aperio.Date", "01/02/26"],
  ]);
  expect(requested[0]!.line).toBe("GET /api/v1/slides/he/identity/texts");
});

it("escapes slide and picture in the address of a picture", () => {
  expect(identityImage("he/1", "macro image")).toBe("/api/v1/slides/he%2F1/identity/images/macro%20image");
});

it("refuses texts that are none", async () => {
  stubFetch({ texts: { a: 1 } });
  await expect(identityTexts("he")).rejects.toThrow(ContractError);
});

it("PR42: a slide whose label may not be seen is refused, not tried again", async () => {
  stubFetch(problemResponse(403, "forbidden"));
  expect(isRefusal(await identityTexts("he").catch((cause: unknown) => cause))).toBe(true);
});
