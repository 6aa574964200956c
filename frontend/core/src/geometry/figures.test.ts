import { afterEach, expect, it, vi } from "vitest";
import { withUnit } from "./figures";

afterEach(() => void vi.unstubAllGlobals());

it("a number keeps its unit beside it, and its order where the page is written from right to left (LG7, LG9)", () => {
  expect(withUnit("2,330 × 2,900", "px")).toBe("2,330 × 2,900\u202fpx");
  expect(withUnit(42, "%")).toBe("42%");
  vi.stubGlobal("document", { dir: "rtl" });
  expect(withUnit("2,330 × 2,900", "px")).toBe("\u20662,330 × 2,900\u202fpx\u2069");
});
