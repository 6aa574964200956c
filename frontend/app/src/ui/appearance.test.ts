import { afterAll, expect, it, vi } from "vitest";

const dataset: Record<string, string> = {};
vi.stubGlobal("document", { documentElement: { dataset }, styleSheets: [], addEventListener: () => undefined });
vi.stubGlobal("dispatchEvent", () => true);
afterAll(() => vi.unstubAllGlobals());

const { appearance, readAppearance } = await import("./appearance");

it("what is not known of the looks is as at first (PG86, PG87)", () => {
  const usual = { touch: "auto", density: "comfortable" };
  expect(readAppearance({})).toEqual(usual);
  expect(readAppearance({ touch: "always", density: 5 })).toEqual(usual);
  expect(readAppearance({ touch: "off", density: "compact" })).toEqual({ touch: "off", density: "compact" });
});

it("the page follows the density (PG87)", () => {
  expect(dataset.density).toBe("comfortable");
  appearance.setState({ density: "compact" });
  expect(dataset.density).toBe("compact");
});
