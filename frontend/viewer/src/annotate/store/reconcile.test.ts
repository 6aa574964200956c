import { describe, expect, it } from "vitest";
import { line, point } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { seeded } from "@wavescope/core/wire/testing";
import { reconcile as reconciled, sameContent } from "./reconcile";
import { someContent } from "./testing";

const reconcile = (base: Content | null, mine: Content | null, theirs: Content | null) =>
  reconciled(base, mine, theirs, "Ada");
const base = someContent(1, { name: "Duct", class: "Tumour", color: [255, 0, 0], foreign: { foreign: { a: 1 } } });
/** One change of each member. */
const changes: { readonly [Key in keyof Content]: Content[Key] } = {
  shape: point("point", 7, 8),
  z: 3,
  name: "Lobule",
  text: "a text",
  class: "Stroma",
  color: [0, 0, 255],
  foreign: { foreign: { a: 2 } },
};
const members = Object.keys(changes) as (keyof Content)[];
const changed = (...keys: (keyof Content)[]): Content => ({
  ...base,
  ...Object.fromEntries(keys.map((key) => [key, changes[key]])),
});
const pairs = members.flatMap((one) => members.filter((other) => other !== one).map((other) => [one, other] as const));

describe("AN12: two changes of one object", () => {
  it.each(pairs)("are both there when I change its %s and they change its %s", (one, other) => {
    expect(reconcile(base, changed(one), changed(other))).toEqual({ kind: "again", content: changed(one, other) });
  });

  it.each(members)("of the same member (%s) to the same value are one change", (key) => {
    expect(reconcile(base, changed(key), structuredClone(changed(key)))).toEqual({ kind: "theirs", overruled: false });
    const more = key === "z" ? "name" : "z";
    expect(reconcile(base, changed(key, more), changed(key))).toEqual({ kind: "again", content: changed(key, more) });
  });

  it.each(members)("of the same member (%s) to different values become two objects: mine is a copy", (key) => {
    const other: Content = { ...someContent(99, { z: 9, name: "X", text: "x", class: "X", foreign: { x: 1 } }) };
    const mine = changed(key);
    const theirs: Content = { ...base, [key]: other[key] };
    expect(reconcile(base, mine, theirs)).toEqual({
      kind: "copy",
      content: { ...mine, name: `${mine.name} (version of Ada)` },
    });
  });

  it("give the same object whichever side is mine", () => {
    const random = seeded(11);
    for (let round = 0; round < 200; round += 1) {
      const sides = members.map(() => Math.floor(3 * random()));
      const [mine, theirs] = [1, 2].map((side) => changed(...members.filter((_, i) => sides[i] === side))) as [
        Content,
        Content,
      ];
      const [here, there] = [reconcile(base, mine, theirs), reconcile(base, theirs, mine)];
      const contentOf = (settled: typeof here, other: Content) => (settled.kind === "theirs" ? other : settled.content);
      expect(sameContent(contentOf(here, theirs), contentOf(there, mine))).toBe(true);
    }
  });
});

describe("AN12: a deletion and a change", () => {
  it("my deletion gives way to their change", () => {
    expect(reconcile(base, null, changed("name"))).toEqual({ kind: "theirs", overruled: true });
  });

  it("their deletion gives way to my change, which is sent again unchanged", () => {
    const mine = changed("shape");
    expect(reconcile(base, mine, null)).toEqual({ kind: "again", content: mine });
  });

  it("two deletions are one", () => {
    expect(reconcile(base, null, null)).toEqual({ kind: "theirs", overruled: false });
  });
});

describe("the copy that mine becomes", () => {
  const copyOf = (mine: Content): Content => {
    const settled = reconcile(null, mine, someContent(5));
    if (settled.kind !== "copy") throw new Error(settled.kind);
    return settled.content;
  };

  it("is made too where nothing is known of the object before both changes", () => {
    expect(copyOf(changed("z"))).toEqual({ ...changed("z"), name: "Duct (version of Ada)" });
  });

  it("is named after its kind where the object has no name", () => {
    expect(copyOf(someContent(0, { shape: line("arrow", [0, 0, 1, 1]) })).name).toBe("arrow (version of Ada)");
  });

  it("has a name that is not longer than the service accepts", () => {
    expect(copyOf(someContent(0, { name: "n".repeat(200) })).name).toBe(`${"n".repeat(183)} (version of Ada)`);
  });
});

describe("equal contents", () => {
  it("are equal by value, member by member", () => {
    expect(sameContent(base, structuredClone(base))).toBe(true);
    for (const key of members) expect(sameContent(base, changed(key))).toBe(false);
  });

  it("are not equal to no content, which is equal to itself", () => {
    expect([sameContent(base, null), sameContent(null, base), sameContent(null, null)]).toEqual([false, false, true]);
  });

  it("distinguish a colour from none, in both directions", () => {
    const plain = { ...base, color: null };
    expect([sameContent(base, plain), sameContent(plain, base), sameContent(plain, { ...plain })]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
