import { beforeEach, describe, expect, it, vi } from "vitest";
import { stub } from "@wavescope/core/stub";
import type { SlideRegistration } from "@wavescope/core/wire/slides/registrationClient";
import { Alignment, onOther } from "./alignment";
import { type Link, type Places, type Registration, startLink } from "./registration";

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

class FakeComparison {
  readonly microscopes = { left: { manifest: SLIDE }, right: { manifest: OTHER } };
  link: Link | null = startLink(SLIDE, OTHER);
  readonly state = { getState: () => ({ link: this.link }) };
  readonly register = (registration: Registration, places?: Places): void =>
    void (this.link = { registration, zoom: 1, places });
  readonly restore = (link: Link | null): void => void (this.link = link);
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
    expect(aligned.state.getState()).toMatchObject({ running: false, failure: null, open: true });
    const there = onOther(comparison.link!, "left", at(1000, 1000));
    expect([there.l0_x, there.l0_y]).toEqual([expect.closeTo(1107, 6), expect.closeTo(950, 6)]);
    const back = onOther(comparison.link!, "right", there);
    expect([back.l0_x, back.l0_y]).toEqual([expect.closeTo(1000, 3), expect.closeTo(1000, 3)]);
  });

  it("lets landmarks correct it, and tells how far off it was (RE9)", async () => {
    const aligned = alignment(() => Promise.resolve(FOUND));
    const pair = { left: at(1000, 1000), right: at(1110, 954) };
    expect(aligned.correct([pair])).toBe(false);
    await aligned.start([pair]);
    expect(aligned.off([pair])[0]).toBeCloseTo(5, 6);
    const there = onOther(comparison.link!, "left", pair.left);
    expect([there.l0_x, there.l0_y]).toEqual([expect.closeTo(1110, 2), expect.closeTo(954, 2)]);
  });

  it("is undone as a whole, and forgotten where the slides are aligned otherwise (RE10)", async () => {
    const aligned = alignment(() => Promise.resolve(FOUND));
    const before = comparison.link;
    await aligned.start([]);
    expect(comparison.link).not.toBe(before);
    aligned.undo();
    expect(comparison.link).toBe(before);
    await aligned.start([]);
    aligned.forget();
    expect(comparison.link).not.toBe(before);
    expect(aligned.correct([])).toBe(false);
  });

  it("leaves the slides where they are where they do not match, or it was cancelled (RE5)", async () => {
    const before = comparison.link;
    const refused = alignment(() => Promise.reject(new Error("no match")));
    await refused.start([]);
    expect(refused.state.getState()).toMatchObject({ running: false, found: null, open: true });
    expect(refused.state.getState().failure?.message).toBe("no match");
    let answer: (found: SlideRegistration) => void = () => undefined;
    const slow = alignment(() => new Promise((resolve) => (answer = resolve)));
    const asked = slow.start([]);
    expect(slow.state.getState().running).toBe(true);
    slow.setOpen(false);
    answer(FOUND);
    await asked;
    expect(slow.state.getState()).toMatchObject({ running: false, found: null, open: false });
    expect(comparison.link).toBe(before);
  });
});
