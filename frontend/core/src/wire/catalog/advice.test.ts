import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { servedJob } from "../testing";
import { expectedOf, readAdvice, readReencodeAdvice, startJob, startReencoding } from "./advice";
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
  by_psnr: [
    { ...expected, bytes: 100, psnr: 32, score: 70 },
    { ...expected, bytes: 400, psnr: 36, score: 80 },
    { ...expected, bytes: 800, psnr: 40, score: 90 },
  ],
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
      byPsnr: advice.by_psnr,
      window: null,
      times: 1,
      measure: "SSIMULACRA 2",
    });
    expect(requested[0]!.line).toBe("GET /api/v1/jobs/j%2F1/advice");
  });

  it.each(PRESETS)("without the image quality %s breaks the contract", async (preset) => {
    stubFetch({ ...advice, presets: { ...advice.presets, [preset]: undefined } });
    const error = await readAdvice("j").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: `/presets/${preset}`, rule: "missing" });
  });
});

describe("WI51: the size of a requested PSNR", () => {
  it.each([
    ["34dB", 200, 75],
    ["36dB", 400, 80],
    ["38dB", 566, 85],
    ["44dB", 1600, 100],
    ["31dB", 71, 67.5],
  ])("%s is %i bytes, from the neighbours in the list", async (quality, bytes, score) => {
    stubFetch(advice);
    const found = expectedOf(await readAdvice("j"), quality);
    expect(found).toMatchObject({ bytes, score, fits: 1.3 * bytes < 900 });
  });

  it("is unknown for what the service does not accept, and for a preset the estimate of that", async () => {
    stubFetch(advice);
    const found = await readAdvice("j");
    expect([expectedOf(found, "29dB"), expectedOf(found, "40"), expectedOf(found, "50.5dB")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(expectedOf(found, "lossless")).toEqual(advice.presets.lossless);
    expect(expectedOf({ ...found, byPsnr: [] }, "40dB")).toBeNull();
  });
});

describe("WI73, WI74: a new version of a stored slide", () => {
  it("is estimated and started by the id of the slide", async () => {
    const requested = stubFetch(advice);
    expect((await readReencodeAdvice("he 1")).byPsnr).toEqual(advice.by_psnr);
    expect(requested[0]!.line).toBe("GET /api/v1/slides/he%201/reencode");
    const started = stubFetch(servedJob({ state: "queued", reencodes: "he 1" }));
    expect(await startReencoding("he 1", "38dB")).toMatchObject({ reencodes: "he 1" });
    expect(started[0]!.line).toBe("POST /api/v1/slides/he%201/reencode?quality=38dB");
  });
});

const both = (quality: string, channelQuality = quality) => ({ quality, channelQuality });

describe("WI70, WI71, WI133: starting a job", () => {
  it("sends the image quality, and no slide to replace unless one is given", async () => {
    const requested = stubFetch(servedJob({ state: "queued", quality: "lossless" }));
    expect(await startJob("j", both("lossless"))).toMatchObject({ state: "queued", quality: "lossless" });
    await startJob("j", both("visual"), { replace: "he 1", keepOriginal: true });
    await startJob("j", both("40dB", "0.3sigma"), { time: 2 });
    expect(requested.map(({ line }) => line)).toEqual([
      "POST /api/v1/jobs/j/start?quality=lossless",
      "POST /api/v1/jobs/j/start?quality=visual&replace=he+1&keep_original=true",
      "POST /api/v1/jobs/j/start?quality=40dB&channel_quality=0.3sigma&time=2",
    ]);
  });
});
