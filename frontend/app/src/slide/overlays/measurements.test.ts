import { describe, expect, it } from "vitest";
import { measurementNames, measurementsOf } from "./measurements";

describe("measurements of a file of shapes", () => {
  it("OV54: are the names of its numbers, each once", () => {
    const text =
      '{"measurements":{"Probability":0.5,"Area \\u00b5m^2":-3,"Note":"x"}},{"measurements": {"Probability":1}}';
    expect(measurementNames(text)).toEqual(["Probability", "Area \u00b5m^2"]);
  });

  it("OV54: may be cut off, or none", async () => {
    expect(measurementNames('{"measurements":{"Probability":0.')).toEqual([]);
    expect(await measurementsOf(new Blob(["no shapes"]))).toEqual([]);
  });
});
