import { afterEach, beforeEach, expect, it, vi } from "vitest";

const owner: { owner: string | null } = { owner: "user-1" };
vi.mock("./slideStore", () => ({ slideStore: owner }));
const { forgetSeen, noteReviewed, readSeen, slidesReviewed, slidesSeen, writeSeen } = await import("./seenStore");

let kept: Map<string, string>;
beforeEach(() => {
  owner.owner = "user-1";
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it("keeps a text for each slide, the last twenty (CV7)", () => {
  for (let i = 0; i < 25; i++) writeSeen(`s${i}`, `text ${i}`);
  writeSeen("s10", "again");
  writeSeen("s25", "one more");
  expect([readSeen("s4"), readSeen("s5"), readSeen("s10"), readSeen("s24"), readSeen("s25")]).toEqual([
    null,
    null,
    "again",
    "text 24",
    "one more",
  ]); // prettier-ignore
  expect(kept.size).toBe(22);
});

it("knows which slides were seen, also when their texts are gone: the last thousand, and not what was cleared (CV7)", () => {
  for (let i = 0; i < 1005; i++) writeSeen(`s${i}`, "text");
  writeSeen("s1003", null);
  expect(slidesSeen().slice(0, 2)).toEqual(["s1004", "s1002"]);
  expect(slidesSeen()).toHaveLength(999);
  expect(readSeen("s1003")).toBeNull();
  owner.owner = "user-2";
  expect(slidesSeen()).toEqual([]);
});

it("belongs to one user: another one finds nothing, and nothing is left of it (CV7)", () => {
  writeSeen("s", "text");
  owner.owner = "user-2";
  expect(readSeen("s")).toBeNull();
  owner.owner = "user-1";
  expect(readSeen("s")).toBeNull();
  writeSeen("s", "text");
  owner.owner = "user-2";
  writeSeen("t", "other");
  expect([...kept.values()].join()).not.toContain("text");
});

it("keeps nothing where nobody is signed in, and nothing after signing out (CV7)", () => {
  writeSeen("s", "text");
  forgetSeen();
  expect(kept.size).toBe(0);
  owner.owner = null;
  writeSeen("s", "text");
  expect([kept.size, readSeen("s")]).toEqual([0, null]);
});

it("goes on without storage, and over damaged storage (CV7)", () => {
  kept.set("wavescope.seen", "{");
  expect(readSeen("s")).toBeNull();
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("forbidden");
    },
  }); // prettier-ignore
  writeSeen("s", "text");
  expect(readSeen("s")).toBeNull();
});

it("knows which slides were reviewed, for one user, until the user signs out (CV11)", () => {
  noteReviewed("a", 5);
  noteReviewed("b", 7);
  noteReviewed("a", null);
  expect(slidesReviewed()).toEqual({ b: 7 });
  owner.owner = "user-2";
  expect(slidesReviewed()).toEqual({});
  noteReviewed("c", 9);
  expect(slidesReviewed()).toEqual({ c: 9 });
  kept.set("wavescope.reviewed", "no JSON");
  expect(slidesReviewed()).toEqual({});
  forgetSeen();
  owner.owner = null;
  noteReviewed("d", 1);
  expect([slidesReviewed(), kept.size]).toEqual([{}, 0]);
});
