import { afterEach, expect, it, vi } from "vitest";
import { fallbackReason } from "./capabilities";

afterEach(() => vi.unstubAllGlobals());

function capable(): void {
  vi.stubGlobal("Worker", () => undefined);
  vi.stubGlobal("createImageBitmap", () => undefined);
}

it("needs no fallback where WebAssembly with SIMD, workers and bitmaps are", () => {
  capable();
  expect(fallbackReason("")).toBeNull();
  expect(fallbackReason("?fallback=0")).toBeNull();
});

it("falls back when asked to, and says so", () => {
  capable();
  expect(fallbackReason("?fallback=1")).toMatch(/chosen in the address/);
});

it.each([
  ["WebAssembly", /WebAssembly/],
  ["Worker", /workers/],
  ["createImageBitmap", /bitmaps/],
])("falls back without %s", (missing, words) => {
  capable();
  vi.stubGlobal(missing, undefined);
  expect(fallbackReason("")).toMatch(words);
});

it("falls back where WebAssembly lacks SIMD", () => {
  capable();
  vi.stubGlobal("WebAssembly", { validate: () => false });
  expect(fallbackReason("")).toMatch(/SIMD/);
});
