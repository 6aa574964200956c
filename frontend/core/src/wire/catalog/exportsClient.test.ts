import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError, ProblemError } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import { testManifest } from "../testing";
import * as client from "./exportsClient";

afterEach(() => vi.unstubAllGlobals());

const manifest = testManifest({ id: "he 1", digest: "d1" });
const request = { x: 64, y: 0, width: 100, height: 50, level: 1, z: 2, format: "tiff-jpeg" } as const;
const query = "x=64&y=0&width=100&height=50&level=1&z=2&format=tiff-jpeg";
const served = {
  id: "e1",
  slide_id: "he 1",
  filename: "duct.tiff",
  state: "running",
  bytes: null,
  done: 1,
  total: 4,
  error: null,
  created: "2026-01-01T00:00:00Z",
};

it("WI44: estimates an export of one version of the slide", async () => {
  const requested = stubFetch({ bytes: 9, seconds: 0.5, free_bytes: 100, pictures: 3 });
  expect(await client.estimateExport(manifest, request)).toEqual({
    bytes: 9,
    seconds: 0.5,
    freeBytes: 100,
    pictures: 3,
  });
  expect(requested[0]!.line).toBe(`GET /api/v1/slides/he%201/v/d1/export-estimate?${query}`);
});

describe("WI45 to WI47: an export", () => {
  it("starts with the same region", async () => {
    const requested = stubFetch(served);
    expect(await client.startExport(manifest, request)).toEqual({
      id: "e1",
      filename: "duct.tiff",
      state: "running",
      done: 1,
      total: 4,
      reason: null,
    });
    expect(requested[0]!.line).toBe(`POST /api/v1/slides/he%201/v/d1/exports?${query}`);
  });

  it("tells why it failed", async () => {
    stubFetch({ ...served, state: "failed", error: { type: "t", title: "Failed", detail: "the disk is full" } });
    expect(await client.readExport("e1")).toMatchObject({ state: "failed", reason: "the disk is full" });
  });

  it("is cancelled by its id", async () => {
    const requested = stubFetch({ ...served, state: "cancelled" });
    await client.cancelExport("e/1");
    expect(requested[0]!.line).toBe("DELETE /api/v1/exports/e%2F1");
  });

  it("has its file at an address of its own", () => {
    expect(client.exportFile("e/1")).toBe("/api/v1/exports/e%2F1/file");
  });

  it.each([
    ["an unknown state", { state: "sleeping" }, "/state"],
    ["a text for a number", { done: "1" }, "/done"],
  ])("with %s breaks the contract", async (_, change, path) => {
    stubFetch({ ...served, ...change });
    const error = await client.readExport("e1").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path });
  });

  it("too large for the disk is the service's problem", async () => {
    stubFetch(problemResponse(507, "no-space", "9 GB are needed"));
    await expect(client.startExport(manifest, request)).rejects.toThrow(ProblemError);
    await expect(client.startExport(manifest, request)).rejects.toThrow("9 GB are needed");
  });
});
