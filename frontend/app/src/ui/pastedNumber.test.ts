import { describe, expect, it } from "vitest";
import { pastedNumber } from "./pastedNumber";

describe("LG10: a number from elsewhere is read with either decimal mark", () => {
  it.each([
    ["0.25", "0.25", "0,25"],
    ["0,25", "0.25", "0,25"],
    ["0.002", "0.002", "0,002"],
    ["0,002", "0.002", "0,002"],
    ["1,200", "1200", "1,200"],
    ["1.200", "1.200", "1200"],
    ["1,200.5", "1200.5", "1200,5"],
    ["1.200,5", "1200.5", "1200,5"],
    ["1,200,300", "1200300", "1200300"],
    ["1'200.5", "1200.5", "1200,5"],
    [" 17 408 ", "17408", "17408"],
    ["-3.5", "-3.5", "-3,5"],
    [".5", ".5", ",5"],
    ["12", "12", "12"],
  ])("%s", (text, english, german) => {
    expect([pastedNumber(text, "."), pastedNumber(text, ",")]).toEqual([english, german]);
  });

  it.each(["", "twelve", "1e5", "3 µm", "5.", "-"])("%s is none", (text) => {
    expect(pastedNumber(text, ",")).toBeNull();
  });
});
