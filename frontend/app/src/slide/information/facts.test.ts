import { dateLabel } from "../../ui/dates";
import { expect, it } from "vitest";
import { testManifest } from "@wavescope/core/wire/testing";
import { barsOf } from "./bars";
import { originOf, propertiesOf, psnrLabel, qualityFactsOf, ratiosOf, storedQuality, technicalOf } from "./facts";

const served = {
  id: "s",
  digest: "0123456789abcdef0123456789abcdef",
  url: "/api/v1/slides/s/v/0",
  width: 2000,
  height: 1000,
  channels: 3,
  layers: 2,
  planes: 3,
  plane_spacing_um: 1.5,
  mpp: { x: 0.25, y: 0.25 },
  objective_power: 40,
  profile: "visual",
  bytes: [
    [1000, 500],
    [300, 100],
    [50, 50],
  ],
  source: { name: "a.svs", format: "aperio", bytes: 4000, tile_bytes: null, fingerprint: "feedc0ffee00feed" },
  icc: true,
};
const manifest = testManifest(served);
const UNKNOWN = { name: null, format: null, bytes: null, tileBytes: null, fingerprint: null };
const valueOf = (facts: { name: string; value: string }[], name: string) =>
  facts.find((fact) => fact.name === name)?.value;

it("tells size, pixel, objective and planes", () => {
  const facts = propertiesOf(manifest);
  expect(
    ["Scanned area", "Pixel size", "Objective", "Planes", "Image quality"].map((name) => valueOf(facts, name)),
  ).toEqual(["0.5 × 0.3\u202fmm", "0.25\u202fµm", "40×", "3, 1.5\u202fµm apart", "visually lossless"]);
});

it("ST98: tells which samples of the file became black and white", () => {
  const deep = testManifest({ ...served, window: { bits: 16, low: 89, high: 331 } });
  expect(valueOf(propertiesOf(deep), "Intensity window")).toBe("16-bit values 89 to 331 are stored as 0 to 255");
  expect(valueOf(propertiesOf(manifest), "Intensity window")).toBeUndefined();
});

it("keeps what only engineers read for the technical part", () => {
  const first = [...propertiesOf(manifest), ...originOf(manifest)]
    .map(({ name, value }) => `${name} ${value}`)
    .join("; ");
  expect(first).not.toMatch(/level|layer|dB|block|channel|checksum|version/i);
});

it("compares what is stored with raw pixels and source, and leaves out what is not known", () => {
  const facts = ratiosOf(manifest);
  expect(facts.map(({ name }) => name)).toEqual(["Stored", "Raw pixels", "Source file"]);
  expect(valueOf(facts, "Source file")).toBe("4.0\u202fkB (2.00 : 1)");
});

const CHOSEN = { target: null, factor: 1, psnr: 38, measure: "SSIMULACRA 2", score: 80.04, reencoded: [] };
const QUALITY = {
  tiles: 6,
  psnr: [
    [31, 39.44],
    [35, 42],
    [40, 45],
  ],
};

it("lists what image quality was chosen, what decided, and what was measured (ST60, ST66)", () => {
  const chosen = { ...CHOSEN, quality: "visual", reason: "score" };
  const visual = testManifest({ ...served, chosen, quality: QUALITY });
  expect(qualityFactsOf(visual).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    "Chosen quality: Visually lossless",
    "Decided by: the score",
    "PSNR at full resolution: 39.4\u202fdB",
    "SSIMULACRA 2: 80.0 (pieces at 1:1)",
  ]);
  expect(valueOf(propertiesOf(visual), "Image quality")).toBe("visually lossless");
  expect(storedQuality(visual)).toBe("visually lossless, 39.4\u202fdB");
  expect(qualityFactsOf(manifest)).toEqual([]);
});

it("shows a requested PSNR as the chosen quality, and how often the slide was encoded again (ST68)", () => {
  const chosen = { ...CHOSEN, quality: "38.5dB", reason: "target", target: 38.5, reencoded: ["a"] };
  const requested = testManifest({ ...served, chosen, quality: QUALITY });
  const facts = qualityFactsOf(requested);
  expect(valueOf(facts, "Chosen quality")).toBe("38.5\u202fdB");
  expect(valueOf(facts, "Encoded again")).toBe("1 time, from the stored slide");
  expect(storedQuality(requested)).toBe("custom, 39.4\u202fdB");
});

it("shows no dB and no score of a lossless slide", () => {
  const chosen = { ...CHOSEN, quality: "auto", reason: "compression of the source", psnr: 99, score: 100 };
  const facts = qualityFactsOf(testManifest({ ...served, profile: "lossless", chosen, quality: QUALITY }));
  expect(facts.map(({ value }) => value)).toEqual(["As the file deserves", "the compression of the file"]);
});

it("says where the slide came from and hands out the profile", () => {
  expect(valueOf(originOf(manifest), "File")).toBe("a.svs");
  const facts = technicalOf(manifest);
  expect(facts.at(-1)).toEqual({
    name: "ICC profile",
    value: "embedded, unmodified",
    href: "/api/v1/slides/s/v/0/icc",
  });
  expect(technicalOf({ ...manifest, preview: true }).at(-1)).not.toHaveProperty("href"); // a file of this computer
  expect(
    technicalOf({ ...manifest, icc: false, details: { ...manifest.details, source: UNKNOWN } }).map(({ name }) => name),
  ).toEqual(["Channels", "Levels", "Quality layers", "Version"]);
});

it("says what a pixel is equivalent to where no objective is stated, and who entered the scale", () => {
  const line = { x0: 0, y0: 0, x1: 300, y1: 400, length_um: 650 };
  const entered = testManifest({
    ...served,
    objective_power: null,
    mpp: { x: 1.3, y: 1.3 },
    scale: { origin: "entered", by: "Ivan", at: "2026-11-22T12:00:00Z", line },
  });
  expect(valueOf(propertiesOf(entered), "Pixel size")).toBe("1.3\u202fµm (about 7.7× equivalent)");
  expect(valueOf(propertiesOf(entered), "Objective")).toBeUndefined();
  expect(valueOf(originOf(entered), "Scale")).toBe(
    `entered by Ivan, ${dateLabel("2026-11-22T12:00:00Z", "day")}, from a line of 650\u202fµm`,
  );
  const unknown = testManifest({ ...served, objective_power: null, mpp: null, scale: null });
  expect(valueOf(propertiesOf(unknown), "Pixel size")).toBe("no scale");
  expect(originOf(unknown).some(({ name }) => name === "Scale")).toBe(false);
});

it("writes quality as people read it", () => {
  expect([37.59, 99, null, undefined].map(psnrLabel)).toEqual(["37.6", "exact", "–", "–"]);
  expect(manifest.details.quality).toBeNull();
  expect(testManifest({ ...served, quality: { tiles: 4, psnr: [[30, 99]] } }).details.quality).toEqual({
    tiles: 4,
    psnr: [[30, 99]],
  });
});

it("draws amounts by their square root", () => {
  expect(barsOf([0, 25, 100])).toEqual({ bars: [0, 50, 100], most: 100 });
  expect(barsOf([0, 0]).bars).toEqual([0, 0]);
});

it("QM11: says what of the scan the service names as worth a word, and nothing of a scan that was not judged", () => {
  const found = (...notable: ("blurred" | "pen" | "bubbles")[]): string | undefined =>
    valueOf(
      propertiesOf(
        testManifest({
          ...served,
          findings: { tissue: 0.4, judged: 0.9, blurred: 0.07, pen: 0.021, bubbles: 0.04, notable },
        }),
      ),
      "Scan quality",
    );
  expect(found()).toBe("tissue in focus");
  expect(found("pen")).toBe('ink over 2% (the overlay "Scan quality" shows where)');
  expect(found("blurred", "pen", "bubbles")).toBe(
    '7% of the tissue is out of focus, ink over 2%, air bubbles over 4% (the overlay "Scan quality" shows where)',
  );
  expect(valueOf(propertiesOf(manifest), "Scan quality")).toBeUndefined();
});
