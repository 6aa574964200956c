import { describe, expect, it } from "vitest";
import { magnificationLabel, scaleBar, shownMagnification, slideMagnification } from "./scale";

describe("scaleBar", () => {
  it.each([
    [1, 0.25, "20 µm", 80],
    [0.5, 0.25, "50 µm", 100],
    [0.001, 0.25, "20 mm", 80],
    [0.0001, 0.5, "500 mm", 100],
    [8, 0.25, "2 µm", 64],
    [80, 0.25, "200 nm", 64],
    [0.5, null, "200 px", 100],
  ])("at %s CSS pixels per pixel of %s um it says %s over %s CSS pixels", (scale, mpp, label, width) => {
    const bar = scaleBar(scale, mpp, 120);
    expect(bar.label).toBe(label);
    expect(bar.width).toBeCloseTo(width, 6);
  });

  it("is never wider than its room and never narrower than two fifths of it", () => {
    for (let scale = 1e-4; scale < 50; scale *= 1.13) {
      const { width } = scaleBar(scale, 0.2527, 150);
      expect(width).toBeLessThanOrEqual(150 + 1e-6);
      expect(width).toBeGreaterThanOrEqual(60 - 1e-6);
    }
  });
});

describe("magnification", () => {
  it("follows the size of a pixel: 0.25 um is 40x", () => {
    expect(slideMagnification(0.25, 20)).toBe(40);
    expect(shownMagnification(0.5, 0.25, null)).toBe(20);
  });

  it("believes the scanner where the size of a pixel is not known, and says nothing where nothing is", () => {
    expect(shownMagnification(0.25, null, 20)).toBe(5);
    expect(shownMagnification(1, null, null)).toBeNull();
  });

  it.each([
    [40, "40×"],
    [12.5, "12.5×"],
    [0.3125, "0.31×"],
    [1.25, "1.25×"],
  ])("writes %s as %s", (value, label) => {
    expect(magnificationLabel(value)).toBe(label);
  });
});
