import { expect, it } from "vitest";
import type { Command } from "../microscope/parts";
import { found, groupsOf } from "./groups";

const command = (group: string, title: string): Command => ({
  id: title,
  group,
  title,
  keys: [],
  run: () => undefined,
});
const list = [command("Zoom", "Zoom in"), command("Stage", "Move left"), command("Zoom", "Whole slide")];

it("puts commands under their headings in the order they come", () => {
  expect(groupsOf(list).map(({ group, members }) => [group, members.length])).toEqual([
    ["Zoom", 2],
    ["Stage", 1],
  ]);
});

it("finds commands by words of title and heading, in any order", () => {
  expect(found(list, "slide ZOOM").map(({ title }) => title)).toEqual(["Whole slide"]);
  expect([found(list, " "), found(list, "nothing")].map((some) => some.length)).toEqual([3, 0]);
});
