import { describe, expect, it } from "vitest";
import {
  type LinkFigures,
  NO_FIGURES,
  type Transport,
  chooseTransport,
  failed,
  lanesFor,
  measured,
  rateOf,
  responseOf,
  wantsPush,
} from "./choice";

const sample = (response: number, rate: number, at = 0) => ({ response, transfer: 1000, bytes: rate, at });

function figuresOf(samples: Partial<Record<Transport, readonly [response: number, rate: number]>>): LinkFigures {
  let figures = NO_FIGURES;
  for (const [transport, [response, rate]] of Object.entries(samples))
    for (let i = 0; i < 3; i += 1) figures = measured(figures, transport as Transport, sample(response + i, rate));
  return figures;
}

describe("the transport (WI122)", () => {
  it.each<[string, Parameters<typeof figuresOf>[0], boolean, Transport]>([
    ["nothing is known", {}, true, "batch"],
    ["the link is fast", { batch: [5, 1e7] }, true, "batch"],
    ["the link is slow and push not measured yet", { batch: [110, 1e6] }, true, "push"],
    ["push is as fast", { batch: [110, 1e6], push: [115, 1e6] }, true, "push"],
    ["push is measured to be slower", { batch: [110, 1e6], push: [110, 5e5] }, true, "batch"],
    ["push responds late", { batch: [110, 1e6], push: [900, 1e6] }, true, "batch"],
    ["push is not open", { batch: [110, 1e6], push: [110, 1e6] }, false, "batch"],
    ["single requests are slower", { batch: [20, 1e6], get: [20, 1e6] }, true, "batch"],
    ["single requests are faster", { batch: [20, 1e5], get: [2, 1e7] }, true, "get"],
  ])("%s", (_, samples, open, expected) => {
    expect(chooseTransport(figuresOf(samples), open, null, 0)).toBe(expected);
  });

  it("is a single request while batches fail and single requests do not (WI122)", () => {
    let figures = failed(NO_FIGURES, "batch", 0);
    expect(chooseTransport(figures, false, null, 0)).toBe("batch");
    figures = failed(figures, "batch", 1);
    expect(chooseTransport(figures, false, null, 1)).toBe("get");
    expect(chooseTransport(figures, false, null, 60_002)).toBe("batch");
    expect(chooseTransport(failed(figures, "get", 1), false, null, 1)).toBe("batch");
    expect(chooseTransport(measured(figures, "batch", sample(5, 1e6)), false, null, 1)).toBe("batch");
  });
});

describe("a push connection (WI123)", () => {
  it("is opened only where batches are slow to respond", () => {
    expect(wantsPush(NO_FIGURES, null, 0)).toBe(false);
    expect(wantsPush(figuresOf({ batch: [5, 1e6] }), null, 0)).toBe(false);
    expect(wantsPush(figuresOf({ batch: [100, 1e6] }), null, 0)).toBe(true);
    expect(wantsPush(figuresOf({ get: [100, 1e6] }), null, 0)).toBe(true);
  });

  it("is opened once the rate is known, and not because the page is busy", () => {
    expect(wantsPush(NO_FIGURES, 100, 0)).toBe(false);
    const small = measured(NO_FIGURES, "batch", { response: 100, transfer: 10, bytes: 1000, at: 0 });
    expect(wantsPush(small, 100, 0)).toBe(false);
    expect(wantsPush(figuresOf({ batch: [100, 1e6] }), 100, 0)).toBe(true);
    expect(wantsPush(figuresOf({ batch: [100, 1e6] }), 5, 0)).toBe(false);
    expect(chooseTransport(figuresOf({ batch: [100, 1e6] }), true, 5, 0)).toBe("batch");
  });

  it("is tried again after a minute, then ever more seldom", () => {
    let figures = measured(NO_FIGURES, "batch", sample(100, 1e6, 1e9));
    const waits = [60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000];
    for (const wait of waits) {
      figures = failed(figures, "push", 1e9);
      const later = measured(figures, "batch", sample(100, 1e6, 1e9 + wait));
      expect(wantsPush(later, null, 1e9 + wait - 1)).toBe(false);
      expect(wantsPush(later, null, 1e9 + wait)).toBe(true);
      expect(chooseTransport(later, true, null, 1e9 + wait)).toBe("batch");
    }
  });
});

describe("figures", () => {
  it("are the shortest recent response and the rate of longer answers", () => {
    let figures = NO_FIGURES;
    for (let i = 0; i < 20; i += 1) figures = measured(figures, "batch", sample(100 - i, 50_000 + i, i));
    figures = measured(figures, "batch", { response: 300, transfer: 1, bytes: 200, at: 20 });
    expect(responseOf(figures.batch, 20)).toBe(81);
    expect(rateOf(figures.batch, 20)).toBeCloseTo(50_016, 0);
    expect(responseOf(figures.batch, 200_000)).toBeNull();
    expect(rateOf(figures.batch, 200_000)).toBeNull();
  });
});

describe("batches at the same time (WI126)", () => {
  it.each([
    [100, 200, 3],
    [100, 12, 2],
    [100, 11, 1],
    [100, 0, 1],
    [39, 200, 1],
    [null, 200, 3],
  ])("where the network responds within %s ms, %i ranges are requested in %i", (network, ranges, lanes) => {
    expect(lanesFor(ranges, NO_FIGURES, network, 0)).toBe(lanes);
  });

  it.each([
    ["1 Mbit/s with 300 ms", 125, 300, 1],
    ["10 Mbit/s with 100 ms", 1250, 100, 3],
    ["10 Mbit/s with 45 ms", 1250, 45, 1],
  ])("%s: as many as fill the link", (_, bytesPerMs, response, lanes) => {
    const sample = { response, transfer: 1000, bytes: 1000 * bytesPerMs, at: 0 };
    expect(lanesFor(200, measured(NO_FIGURES, "batch", sample), response, 10)).toBe(lanes);
  });

  it("WI144: a first view comes in as many parts, and in three where nothing was measured", () => {
    expect([null, 10, 100].map((network) => lanesFor(Infinity, NO_FIGURES, network, 0))).toEqual([3, 1, 3]);
    const sample = { response: 300, transfer: 1000, bytes: 100_000, at: 0 }; // 30 kB are on their way at most
    expect(lanesFor(Infinity, measured(NO_FIGURES, "batch", sample), 300, 10)).toBe(1);
  });
});
