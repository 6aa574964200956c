import { expect, it } from "vitest";
import type { Advice } from "@wavescope/core/wire/catalog/advice";
import { rendered } from "../rendered";
import { QualityOptions } from "./QualityOptions";

const expected = (bytes: number, psnr: number, fits = true) => ({ bytes, seconds: 9, psnr, score: 80, fits });
const advice: Advice = {
  width: 4000,
  height: 3000,
  planes: 1,
  sourceBytes: 3e6,
  rawBytes: 36e6,
  freeBytes: 5e6,
  presets: {
    compact: expected(1_000_000, 33.2),
    visual: expected(2_000_000, 38.5),
    fine: expected(4_000_000, 44),
    auto: expected(1_500_000, 36.1),
    lossless: expected(9_000_000, 99, false),
  },
  byPsnr: [expected(800_000, 30), expected(3_200_000, 40)],
  window: null,
  times: 1,
  measure: "SSIMULACRA 2",
};

const options = (of?: Advice, chosen: string | null = "visual"): string =>
  rendered(<QualityOptions name="a.svs" chosen={chosen} advice={of} onChoose={() => undefined} />);

it("shows the size of every quality before anything is imported, and what it reaches (WI51)", () => {
  const html = options(advice);
  for (const size of ["1.0\u202fMB", "2.0\u202fMB", "4.0\u202fMB", "1.5\u202fMB", "9.0\u202fMB"])
    expect(html).toContain(`about ${size}`);
  expect(html).toContain("About 38.5\u202fdB.");
  expect(html).not.toContain("99.0\u202fdB");
});

it("disables what the disk has no space for, and that alone", () => {
  const inputs = options(advice).match(/<input[^>]*>/g) ?? [];
  const disabled = inputs.filter((input) => input.includes("disabled"));
  expect(disabled.map((input) => /value="(\w+)"/.exec(input)?.[1])).toEqual(["lossless"]);
});

it("names the qualities while they are being estimated", () => {
  const html = options();
  expect(html).toContain("As the file deserves");
  expect(html).not.toMatch(/about|About/);
});

it("shows the size and the meaning of a requested PSNR (ST66)", () => {
  const html = options(advice, "35dB");
  expect(html).toContain("Requested PSNR: about 1.6\u202fMB"); // the geometric mean: half way between 30 and 40 dB
  expect(html).toContain("No visible difference side by side at 1:1.");
  expect(/<input[^>]*value="requested"[^>]*>/.exec(html)?.[0]).toContain("checked");
  expect(html).toContain('value="35 dB"');
});

it("ST113: tells and takes the error of channels in units of their noise", () => {
  const error = (bytes: number, score: number) => ({ ...expected(bytes, 78), score });
  const presets = { ...advice.presets, visual: error(2_000_000, 0.333), lossless: expected(4_000_000, 99) };
  const html = options({ ...advice, presets, byPsnr: [], measure: "sigma" }, "0.4sigma");
  expect(html).toContain("The error is about 0.33 of the noise (RMS).");
  expect(html).not.toContain(" dB");
  expect(html).toContain('value="0.4 σ"');
  expect(/<input[^>]*value="requested"[^>]*>/.exec(html)?.[0]).toContain("checked");
});

it("ST98: does not offer lossless for a file with more than 8 bits, and says why", () => {
  const roomy = { ...advice, presets: { ...advice.presets, lossless: expected(4_000_000, 99) } };
  const html = options({ ...roomy, window: { bits: 16, low: 89, high: 331 } });
  expect(html).toContain("Not for this file: its 16-bit values 89 to 331 are stored as 0 to 255.");
  const disabled = (html.match(/<input[^>]*>/g) ?? []).filter((input) => input.includes("disabled"));
  expect(disabled.map((input) => /value="(\w+)"/.exec(input)?.[1])).toEqual(["lossless"]);
  expect(
    options(roomy)
      .match(/<input[^>]*>/g)
      ?.join(),
  ).not.toContain("disabled");
});

it("explains why a quality cannot be chosen", () => {
  const html = rendered(
    <QualityOptions
      name="a"
      chosen="compact"
      advice={advice}
      onChoose={() => undefined}
      rejection={(quality) => (quality === "fine" ? "Not smaller than the stored slide." : null)}
    />,
  );
  expect(html.match(/Not smaller than the stored slide/g)).toHaveLength(1);
  const disabled = (html.match(/<input[^>]*>/g) ?? []).filter((input) => input.includes("disabled"));
  expect(disabled.map((input) => /value="(\w+)"/.exec(input)?.[1])).toEqual(["fine", "lossless"]);
});
