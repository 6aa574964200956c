import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError, ProblemError } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import { servedSummary } from "../testing";
import * as client from "./casesClient";

afterEach(() => vi.unstubAllGlobals());

const served = {
  id: "c1",
  title: "Breast",
  kind: "case",
  revision: 4,
  created: "2026-01-01T00:00:00Z",
  updated: "2026-01-02T00:00:00Z",
  slides: [
    { ...servedSummary({ id: "he" }), number: 1, shared: true },
    { ...servedSummary({ id: "er", bytes: [[1, 2], [3]] }), number: 3, shared: false },
  ],
};

it("WI40: lists the cases with the number of their slides", async () => {
  const cases = [{ ...served, slides: 2, thumbnail: null }];
  const requested = stubFetch({ cases });
  expect(await client.listCases()).toEqual(cases);
  expect(requested[0]!.line).toBe("GET /api/v1/cases");
});

it("reads a case with its slides, their numbers, and whether they are shared with it (WI40)", async () => {
  const requested = stubFetch(served);
  const found = await client.readCase("c 1");
  expect(requested[0]!.line).toBe("GET /api/v1/cases/c%201");
  expect(found).toMatchObject({ id: "c1", kind: "case", revision: 4 });
  expect(found.slides.map(({ id, bytes, number, shared }) => [id, bytes, number, shared])).toEqual([
    ["he", 0, 1, true],
    ["er", 6, 3, false],
  ]);
});

describe("WI40 to WI43: changes", () => {
  it.each<[string, () => Promise<unknown>, string, unknown, string | null]>([
    [
      "creating",
      () => client.createCase({ title: "Breast", kind: "collection", slides: ["he"] }),
      "POST /api/v1/cases",
      { title: "Breast", kind: "collection", slides: ["he"] },
      null,
    ],
    ["renaming", () => client.changeCase("c1", { title: "B" }), "PATCH /api/v1/cases/c1", { title: "B" }, null],
    [
      "adding slides",
      () => client.addToCase("c1", ["a", "b"]),
      "POST /api/v1/cases/c1/slides",
      { slides: ["a", "b"] },
      null,
    ],
    ["removing a slide", () => client.removeFromCase("c1", "a/b"), "DELETE /api/v1/cases/c1/slides/a%2Fb", null, null],
    [
      "another order",
      () => client.arrangeCase("c1", ["er", "he"], 4),
      "PUT /api/v1/cases/c1/slides",
      { slides: ["er", "he"] },
      '"r4"',
    ],
  ])("%s gives the case as it is then", async (_, change, line, body, revision) => {
    const requested = stubFetch(served);
    expect(await change()).toMatchObject({ id: "c1", revision: 4 });
    expect(requested).toEqual([{ line, body, revision }]);
  });

  it("deletes a case", async () => {
    const requested = stubFetch(null);
    await client.deleteCase("c1");
    expect(requested[0]!.line).toBe("DELETE /api/v1/cases/c1");
  });

  it("an order of an older revision is the service's problem", async () => {
    stubFetch(problemResponse(412, "stale-revision"));
    const error = await client.arrangeCase("c1", [], 3).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ problem: "stale-revision", transient: false });
  });

  it("a case whose slide has no size breaks the contract", async () => {
    stubFetch({ ...served, slides: [{ ...servedSummary(), width: undefined }] });
    const error = await client.readCase("c1").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/slides/0/width", rule: "missing" });
  });
});
