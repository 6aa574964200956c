import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Fidelity } from "@wavescope/core/tiles/state";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { testManifest } from "@wavescope/core/wire/testing";
import { rendered } from "../rendered";
import { stub } from "@wavescope/core/stub";
import { FidelityBadge } from "./FidelityBadge";

function badge(fidelity: Fidelity, manifest: object = {}, damage: string[] = []): string {
  const state = createStore(() => ({ fidelity, layers: 3, damage }));
  const microscope = stub<Microscope>({ state, manifest: { ...testManifest({ layers: 5 }), ...manifest } });
  return rendered(<FidelityBadge microscope={microscope} />);
}
const shown = (html: string): string => /data-fidelity="(\w+)"/.exec(html)![1]!;
const label = (html: string): string => /aria-label="([^"]*)"/.exec(html)![1]!;

describe("the badge of what one looks at", () => {
  const states: Fidelity[] = ["preview", "refining", "sharp", "exact", "damaged"];

  it("has other words for each state, for eyes and for ears", () => {
    const badges = states.map((state) => badge(state));
    expect(badges.map(shown)).toEqual(states);
    expect(new Set(badges.map(label)).size).toBe(states.length);
    for (const html of badges) expect(html).toContain('role="note"'); // the view in words says what changed (PG107)
  });

  it("says how many layers are loaded of how many", () => {
    expect(label(badge("refining"))).toMatch(/3.*5/);
  });

  it("calls only a lossless slide lossless", () => {
    expect(label(badge("exact", { profile: "lossless" }))).toMatch(/^Lossless/);
    expect(label(badge("exact", { profile: "visual" }))).not.toMatch(/^Lossless/);
  });

  it("names what is damaged", () => {
    expect(label(badge("damaged", {}, ["block 1", "block 2"]))).toContain("block 1; block 2");
  });

  it.each<[Fidelity, string]>([
    ["exact", "preview"],
    ["sharp", "preview"],
    ["damaged", "damaged"],
  ])("of a slide that is still being imported says of %s: %s", (fidelity, expected) => {
    expect(shown(badge(fidelity, { preview: true }))).toBe(expected);
  });
});
