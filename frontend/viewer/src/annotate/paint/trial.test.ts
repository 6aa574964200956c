import { describe, expect, it } from "vitest";
import { Trial } from "./trial";

describe("Trial", () => {
  const after = (times: number[]): Trial => {
    let now = 0;
    const trial = new Trial(() => now);
    for (const time of times) {
      const end = trial.begin();
      now += time;
      end?.();
    }
    return trial;
  };

  it("is slow when every measured frame is, the first ones aside", () => {
    expect(after([900, 900, 60, 70, 80, 90]).isSlow).toBe(true);
    expect(after([900, 900, 60, 70, 5, 90]).isSlow).toBe(false);
    expect(after([900, 900, 60, 70, 80]).isSlow).toBe(false);
  });

  it("measures no more frames than it needs", () => {
    const trial = after([1, 1, 1, 1, 1, 1]);
    expect([trial.begin(), trial.isSlow]).toEqual([null, false]);
  });
});
