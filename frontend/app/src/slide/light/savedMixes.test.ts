import { expect, it } from "vitest";
import type { SavedMix } from "@wavescope/core/wire/catalog/mixesClient";
import { adding, inserting, moving, removing, renaming } from "./savedMixes";

const mix = (name: string, gamma = 100): SavedMix => ({ name, channels: { c0: [1, 0, 9, gamma] } });
const mixes = [mix("a"), mix("b"), mix("c")];
const names = (given: readonly SavedMix[]): string => given.map(({ name }) => name).join("");

it("CM9: a mix is added as the last one, or replaces the one with its name", () => {
  expect(names(adding(mix("d"))(mixes))).toBe("abcd");
  expect(adding(mix("b", 45))(mixes)).toEqual([mix("a"), mix("b", 45), mix("c")]);
});

it("CM9: mixes are renamed, moved, deleted and put back; names stay different", () => {
  expect([
    names(renaming("a", "d")(mixes)),
    names(renaming("a", "c")(mixes)),
    names(renaming("a", "a")(mixes)),
  ]).toEqual(["dbc", "cb", "abc"]);
  expect([names(moving("b", 1)(mixes)), names(moving("b", -1)(mixes)), names(moving("a", -1)(mixes))]).toEqual([
    "acb",
    "bac",
    "abc",
  ]);
  expect([names(removing("b")(mixes)), names(inserting(mix("b"), 1)(removing("b")(mixes)))]).toEqual(["ac", "abc"]);
  expect(names(inserting(mix("b"), 0)(mixes))).toBe("abc");
});
