import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { servedJob } from "../testing";
import { readAdvice, startJob } from "./advice";

afterEach(() => vi.unstubAllGlobals());

const expected = { bytes: 50, seconds: 9, fits: true };
const advice = {
  width: 4000,
  height: 3000,
  planes: 3,
  tiles: 48,
  processors: 2,
  source_bytes: 10,
  raw_bytes: 300,
  free_bytes: 900,
  profiles: { visual: expected, lossless: { ...expected, fits: false } },
};

describe("WI51: advice", () => {
  it("gives sizes, free space and what each image quality would take", async () => {
    const requested = stubFetch(advice);
    expect(await readAdvice("j/1")).toEqual({
      width: 4000,
      height: 3000,
      planes: 3,
      sourceBytes: 10,
      rawBytes: 300,
      freeBytes: 900,
      profiles: advice.profiles,
    });
    expect(requested[0].line).toBe("GET /api/v1/jobs/j%2F1/advice");
  });

  it.each([
    ["visual", { lossless: expected }],
    ["lossless", { visual: expected }],
  ])("without the image quality %s breaks the contract", async (profile, profiles) => {
    stubFetch({ ...advice, profiles });
    const error = await readAdvice("j").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: `/profiles/${profile}`, rule: "missing" });
  });
});

describe("WI70, WI71: starting a job", () => {
  it("sends the image quality, and no slide to replace unless one is given", async () => {
    const requested = stubFetch(servedJob({ state: "queued", profile: "lossless" }));
    expect(await startJob("j", "lossless")).toMatchObject({ state: "queued", profile: "lossless" });
    await startJob("j", "visual", "he 1");
    expect(requested.map(({ line }) => line)).toEqual([
      "POST /api/v1/jobs/j/start?profile=lossless",
      "POST /api/v1/jobs/j/start?profile=visual&replace=he+1",
    ]);
  });
});
