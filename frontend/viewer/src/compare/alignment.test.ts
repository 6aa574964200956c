import { beforeEach, describe, expect, it, vi } from "vitest";
import { stub } from "@wavescope/core/stub";
import type { SlideRegistration } from "@wavescope/core/wire/slides/registrationClient";
import type { Microscope } from "../core/microscope";
import { Alignment, isAligned } from "./alignment";
import { type Links, onPane, startLinks } from "./links";
import type { Link } from "./registration";

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };
const OTHER = { ...SLIDE, id: "er" };
/** A shift by (100, -50), and a field that adds 7 to x everywhere. */
const FOUND: SlideRegistration = {
  left: "a",
  right: "b",
  affine: [1, 0, 100, 0, 1, -50],
  columns: 7,
  rows: 6,
  spacing: 1000,
  shifts: Array.from({ length: 2 * 7 * 6 }, (_, i) => (i % 2 ? 0 : 7)),
  likeness: 0.8,
  cell: 40,
  residuals: [],
};
const at = (l0_x: number, l0_y: number) => ({ l0_x, l0_y });

const microscopeOf = (manifest: typeof SLIDE) => stub<Microscope>({ manifest });

class FakeComparison {
  readonly microscopes = [SLIDE, OTHER].map(microscopeOf);
  links: Links | null = startLinks([SLIDE, OTHER]);
  readonly state = { getState: () => ({ links: this.links }) };
  readonly lay = (links: readonly (Link | null)[]): void =>
    void (this.links = this.links!.map((link, pane) => links[pane] ?? link));
  readonly restore = (links: Links | null): void => void (this.links = links);
}

let comparison: FakeComparison;
beforeEach(() => (comparison = new FakeComparison()));
const alignment = (read: (left: string, right: string, signal?: AbortSignal) => Promise<SlideRegistration>) =>
  new Alignment(stub<ConstructorParameters<typeof Alignment>[0]>(comparison), read);

describe("aligning automatically", () => {
  it("links the slides as the service found it, both ways (RE8)", async () => {
    const read = vi.fn(() => Promise.resolve(FOUND));
    const aligned = alignment(read);
    await aligned.start([]);
    expect(read).toHaveBeenCalledWith("he", "er", expect.any(AbortSignal));
    expect(aligned.state.getState()).toMatchObject({ running: false, results: [null, FOUND], open: true });
    const there = onPane(comparison.links!, 0, 1, at(1000, 1000));
    expect([there.l0_x, there.l0_y]).toEqual([expect.closeTo(1107, 6), expect.closeTo(950, 6)]);
    const back = onPane(comparison.links!, 1, 0, there);
    expect([back.l0_x, back.l0_y]).toEqual([expect.closeTo(1000, 3), expect.closeTo(1000, 3)]);
  });

  it("lets landmarks correct it, and tells how far off it was (RE9)", async () => {
    const aligned = alignment(() => Promise.resolve(FOUND));
    const pair = { left: at(1000, 1000), right: at(1110, 954) };
    expect(aligned.links([])).toEqual([null, null]);
    await aligned.start([[pair.left, pair.right]]);
    expect(aligned.off(1, [pair])[0]).toBeCloseTo(5, 6);
    const there = onPane(comparison.links!, 0, 1, pair.left);
    expect([there.l0_x, there.l0_y]).toEqual([expect.closeTo(1110, 2), expect.closeTo(954, 2)]);
  });

  it("is undone as a whole, and forgotten where the slides are aligned otherwise (RE10)", async () => {
    const aligned = alignment(() => Promise.resolve(FOUND));
    const before = comparison.links;
    await aligned.start([]);
    expect(comparison.links).not.toBe(before);
    aligned.undo();
    expect(comparison.links).toBe(before);
    await aligned.start([]);
    aligned.forget();
    expect(comparison.links).not.toBe(before);
    expect(aligned.links([])).toEqual([null, null]);
  });

  it("leaves the slides where they are where they do not match, or it was cancelled (RE5)", async () => {
    const before = comparison.links;
    const refused = alignment(() => Promise.reject(new Error("no match")));
    await refused.start([]);
    expect(refused.state.getState()).toMatchObject({
      running: false,
      results: [null, new Error("no match")],
      open: true,
    });
    let answer: (found: SlideRegistration) => void = () => undefined;
    const slow = alignment(() => new Promise((resolve) => (answer = resolve)));
    const asked = slow.start([]);
    expect(slow.state.getState().running).toBe(true);
    slow.setOpen(false);
    answer(FOUND);
    await asked;
    expect(slow.state.getState()).toMatchObject({ running: false, results: [], open: false });
    expect(comparison.links).toBe(before);
  });

  it("aligns each further slide with the first one; those that do not match stay as they lie (RE12)", async () => {
    comparison.microscopes.push(microscopeOf({ ...SLIDE, id: "pr" }));
    comparison.links = startLinks(comparison.microscopes.map(({ manifest }) => manifest));
    const before = comparison.links;
    const aligned = alignment((_, other) => (other === "er" ? Promise.reject(new Error()) : Promise.resolve(FOUND)));
    await aligned.start([]);
    expect(isAligned(aligned.state.getState())).toBe(true);
    expect(comparison.links[1]).toBe(before[1]);
    expect(onPane(comparison.links, 0, 2, at(1000, 1000)).l0_x).toBeCloseTo(1107, 6);
    aligned.undo();
    expect(comparison.links).toBe(before);
  });
});
