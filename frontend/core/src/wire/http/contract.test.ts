import { describe, expect, it } from "vitest";
import { SlideList as isSlideList } from "../generated/galleryValidators";
import { JobBody as isJob, Entries as areEntries } from "../generated/laterValidators";
import { servedManifest } from "../testing";
import { call } from "./api";
import { checked, parsedJson } from "./contract";
import { ContractError, mayRecover } from "./errors";
import { explain } from "./explain";

const job = {
  id: "j",
  state: "running",
  filename: "a.svs",
  slide_id: null,
  done: 1,
  total: 2,
  rate: null,
  seconds_left: 3.5,
  quality: "visual",
  stored_as: [],
  reencodes: null,
  notices: [],
  error: null,
  created: "2026-01-01T00:00:00Z",
  updated: "2026-01-01T00:00:00Z",
};
const responding =
  (document: unknown, asked: string[] = []) =>
  (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? ""} ${url} ${(init?.body as string | undefined) ?? ""}`);
    return Promise.resolve(typeof document === "string" ? new Response(document) : Response.json(document));
  };

describe("an answer", () => {
  it("that keeps to the contract comes back as it is, with members that the contract does not name", async () => {
    const response = await call("GET /jobs/{job_id}", {
      path: { job_id: "j" },
      fetcher: responding({ ...job, later: 1 }),
    });
    expect(response).toEqual({ ...job, later: 1 });
  });

  it.each([
    ["a member of another type", { ...job, done: "1" }, "/done", "type"],
    ["a value that is not one of those listed", { ...job, state: "asleep" }, "/state", "enum"],
    ["a number below its limit", { ...job, total: -1 }, "/total", "minimum"],
    ["a member too few", { ...job, id: undefined }, "/id", "missing"],
    ["a fault further in", { ...job, error: { type: "t", title: 1, detail: "d" } }, "/error/title", "type"],
    ["a list for an object", [job], "", "type"],
    ["nothing", null, "", "type"],
    ["a page of a proxy", "<html></html>", "", "JSON"],
  ])("with %s is a ContractError that says where", async (_, document, path, rule) => {
    const response = call("GET /jobs/{job_id}", { path: { job_id: "a b" }, fetcher: responding(document) });
    const error = await response.then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ source: "GET /api/v1/jobs/a%20b", path, rule });
    expect(explain(error)).toMatch(/Reload the page/);
    expect(mayRecover(error)).toBe(false);
  });

  it("may be one of two documents", async () => {
    const invitation = {
      code: "C",
      title: "T",
      host: "H",
      state: "live",
      passcode: false,
      account: false,
      recording: false,
    };
    const ask = (document: unknown) =>
      call("GET /sessions/{code}", { path: { code: "C" }, fetcher: responding(document) });
    await expect(ask({ ...invitation, joined: null })).resolves.toMatchObject({ host: "H" });
    await expect(ask(invitation)).rejects.toThrow(ContractError);
  });
});

it("calls an operation with its path, query, body and revision", async () => {
  const asked: string[] = [];
  const fetcher = responding({ slides: [], total: 0, page: 2, pages: 1, per_page: 60 }, asked);
  await call("GET /slides", { query: { page: 2, label: ["a:b", "c:d"], search: undefined }, fetcher });
  await call("DELETE /trash", { fetcher: () => Promise.resolve(new Response(null, { status: 204 })) });
  expect(asked).toEqual(["GET /api/v1/slides?page=2&label=a%3Ab&label=c%3Ad "]);
});

it("says which element of a list breaks the contract", () => {
  const slides = [servedManifest(), { ...servedManifest(), tags: { stain: 1 } }];
  const document: unknown = { slides, total: 2, page: 1, pages: 1, per_page: 60 };
  expect(() => checked(document, isSlideList, "a test")).toThrow(
    expect.objectContaining({ path: "/slides/1/tags/stain" }),
  );
});

it("SE12: entries of a kind that is not known pass, those that are known are checked", () => {
  const entries = (one: unknown): unknown => ({ chunk: 0, chunks: 1, entries: [one] });
  const read = (one: unknown) => checked(entries(one), areEntries, "a test");
  expect(read({ kind: "later", time: 0 }).entries).toHaveLength(1);
  expect(() => read({ kind: "views", time: 0 })).toThrow(expect.objectContaining({ path: "/entries/0/views" }));
  expect(() => read({ time: 0 })).toThrow(expect.objectContaining({ path: "/entries/0/kind" }));
});

it("survives documents that are anything at all with its own error only", () => {
  const seeds: unknown[] = [
    null,
    0,
    "",
    true,
    [],
    {},
    { id: {} },
    [[job]],
    { ...job, error: [] },
    { ...job, stored_as: {} },
  ];
  for (const seed of seeds) expect(() => checked<unknown>(seed, isJob, "a test")).toThrow(ContractError);
  expect(() => parsedJson("{", "a test")).toThrow(ContractError);
});
