import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { deleteDatabases, deleteSlides } from "./database";
import { readViews, writeViews } from "./viewsDatabase";

it("the page of views belongs to one account and goes with it, not with the slides (PG73)", async () => {
  await writeViews("user-1", { items: [1] });
  expect([await readViews("user-1"), await readViews("user-2")]).toEqual([{ items: [1] }, undefined]);
  await deleteSlides();
  await deleteDatabases("user-1");
  expect(await readViews("user-1")).toEqual({ items: [1] });
  await deleteDatabases("user-2");
  expect(await readViews("user-1")).toBeUndefined();
});
