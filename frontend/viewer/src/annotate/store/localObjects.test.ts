import { expect, it } from "vitest";
import { LocalObjects } from "./localObjects";
import { someContent } from "./testing";

it("AN23: knows its objects, deleted or not, and counts those that are there", () => {
  const local = new LocalObjects();
  expect([local.has("a"), local.shown("a"), local.size]).toEqual([false, null, 0]);
  local.adopt("a");
  expect([local.has("a"), local.size]).toEqual([true, 0]);
  local.edit("a", someContent(1));
  expect([local.shown("a"), local.size]).toEqual([someContent(1), 1]);
  local.edit("a", null);
  expect([local.has("a"), local.shown("a"), local.size]).toEqual([true, null, 0]);
});
