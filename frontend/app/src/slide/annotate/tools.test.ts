import { expect, it } from "vitest";
import { offeredTools, tools } from "./tools";

it("each tool has a kind and a key of its own", () => {
  expect(new Set(tools.map(({ kind }) => kind)).size).toBe(tools.length);
  expect(new Set(tools.map(({ key }) => key)).size).toBe(tools.length);
});

it("a user who may annotate is offered all tools under their own names", () => {
  expect(offeredTools(true)).toBe(tools);
});

it("AN23: a user who may not is offered those that measure, named by what they measure", () => {
  const offered = offeredTools(false);
  expect(offered.map(({ title }) => title)).toEqual(["Length", "Angle", "Area"]);
  expect(offered.map(({ kind, key }) => `${kind} ${key}`)).toEqual(["line m", "angle k", "polygon d"]);
});
