import { afterEach, describe, expect, it, vi } from "vitest";
import { stubFetch } from "../http/fetchStub";
import { servedManifest } from "../testing";
import { type ScaleOrigin, calibrationOf, sendCalibration } from "./scale";

afterEach(() => vi.unstubAllGlobals());

const line = { x0: 0, y0: 0, x1: 100, y1: 0, length_um: 50 };
const entered = (change: Partial<ScaleOrigin> = {}): ScaleOrigin => ({
  origin: "entered",
  by: "Ada",
  at: "2026-01-01T00:00:00Z",
  line: null,
  ...change,
});

describe("WI80: the scale to go back to", () => {
  it.each<[string, ScaleOrigin | null, number | null, object | null]>([
    ["none, without a scale", null, null, null],
    ["none, of a scale that the file states", entered({ origin: "file" }), 0.25, null],
    ["the value", entered(), 0.25, { um_per_pixel: 0.25 }],
    ["the line that it was taken from", entered({ line }), 0.5, { line }],
    ["none, without a value", entered({ line }), null, null],
  ])("is %s", (_, scale, value, expected) => {
    expect(calibrationOf(scale, value)).toEqual(expected);
  });
});

describe("WI80: sending a scale", () => {
  it.each([[{ um_per_pixel: 0.25 }], [{ line }]])("enters %j and gives the slide with it", async (calibration) => {
    const requested = stubFetch(servedManifest({ mpp: { x: 0.25, y: 0.25 }, scale: entered() }));
    const manifest = await sendCalibration("s 1", calibration);
    expect(manifest).toMatchObject({ mpp: { x: 0.25, y: 0.25 }, scale: { origin: "entered" } });
    expect(requested[0]).toMatchObject({ line: "PUT /api/v1/slides/s%201/calibration", body: calibration });
  });

  it("removes an entered one", async () => {
    const requested = stubFetch(servedManifest());
    expect((await sendCalibration("s", null)).mpp).toBeNull();
    expect(requested).toEqual([{ line: "DELETE /api/v1/slides/s/calibration", body: null, revision: null }]);
  });
});
