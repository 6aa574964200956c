import { describe, expect, it } from "vitest";
import { magnificationLabel, objectiveAt, objectivesFor } from "./objectives";
import { ownMagnification, scaleBar, scaleText, shownMagnification, slideMagnification } from "./scale";

describe("scaleBar", () => {
  it.each([
    [1, 0.25, "20\u202fµm", 80],
    [0.5, 0.25, "50\u202fµm", 100],
    [0.001, 0.25, "20\u202fmm", 80],
    [0.0001, 0.5, "500\u202fmm", 100],
    [8, 0.25, "2\u202fµm", 64],
    [80, 0.25, "200\u202fnm", 64],
    [0.5, null, "200\u202fpx", 100],
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

  it("is the objective that the file states where the size of a pixel agrees with it, else an equivalent", () => {
    expect(ownMagnification(0.2265, 40)).toEqual({ own: 40, equivalent: false });
    expect(ownMagnification(0.499, 20)).toEqual({ own: 20, equivalent: false });
    expect(ownMagnification(0.2428, 20)).toEqual({ own: 40, equivalent: true });
    expect(ownMagnification(0.2527, null)).toEqual({ own: 40, equivalent: true });
    expect(ownMagnification(1.3, null)?.own).toBeCloseTo(7.692, 3);
  });

  it.each([
    [1.3, null, "1.3\u202fµm/px (about 7.7× equivalent)"],
    [0.2527, null, "0.2527\u202fµm/px (about 40× equivalent)"],
    [0.25, 40, "0.25\u202fµm/px, 40×"],
    [0.2428, 20, "0.2428\u202fµm/px (about 40× equivalent)"],
    [null, 20, "no scale, 20×"],
    [null, null, "no scale"],
  ])("of %s um a pixel and an objective of %s reads %s", (mpp, power, words) => {
    expect(scaleText(mpp, power)).toBe(words);
  });

  it("shown is that of the lit objective, at every scale", () => {
    for (const [mpp, power] of [
      [0.2527, null],
      [0.2265, 40],
      [1.3, null],
      [0.25, 40],
    ] as const) {
      const objectives = objectivesFor(slideMagnification(mpp, power), 4);
      for (let scale = 0.01; scale < 4; scale *= 1.003) {
        const shown = magnificationLabel(shownMagnification(scale, mpp, power)!);
        const lit = objectiveAt(objectives, scale);
        expect(lit ? magnificationLabel(lit.magnification) : "none").toBe(
          objectives.some((one) => magnificationLabel(one.magnification) === shown) ? shown : "none",
        );
      }
      for (const { scale, magnification } of objectives)
        expect(objectiveAt(objectives, scale)?.magnification).toBe(magnification);
    }
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
