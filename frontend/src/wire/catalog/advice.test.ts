import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { servedJob } from "../testing";
import { readAdvice, startJob } from "./advice";
import { PRESETS } from "./jobs";

afterEach(() => vi.unstubAllGlobals());

const expected = { bytes: 50, seconds: 9, psnr: 38.5, score: 80, fits: true };
const advice = {
  width: 4000,
  height: 3000,
  planes: 3,
  tiles: 48,
  processors: 2,
  source_bytes: 10,
  raw_bytes: 300,
  free_bytes: 900,
  presets: {
    compact: expected,
    visual: expected,
    fine: expected,
    auto: expected,
    lossless: { ...expected, fits: false },
  },
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
      presets: advice.presets,
    });
    expect(requested[0].line).toBe("GET /api/v1/jobs/j%2F1/advice");
  });

  it.each(PRESETS)("without the image quality %s breaks the contract", async (preset) => {
    stubFetch({ ...advice, presets: { ...advice.presets, [preset]: undefined } });
    const error = await readAdvice("j").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: `/presets/${preset}`, rule: "missing" });
  });
});

describe("WI70, WI71: starting a job", () => {
  it("sends the image quality, and no slide to replace unless one is given", async () => {
    const requested = stubFetch(servedJob({ state: "queued", quality: "lossless" }));
    expect(await startJob("j", "lossless")).toMatchObject({ state: "queued", quality: "lossless" });
    await startJob("j", "visual", "he 1");
    expect(requested.map(({ line }) => line)).toEqual([
      "POST /api/v1/jobs/j/start?quality=lossless",
      "POST /api/v1/jobs/j/start?quality=visual&replace=he+1",
    ]);
  });
});
