import { expect, it } from "vitest";
import { ByteLru } from "./byteLru";

it("keeps within its budget by giving up what was used least recently", () => {
  const gone: string[] = [];
  const lru = new ByteLru<number>(10, (key) => gone.push(key));
  lru.set("a", 1, 4);
  lru.set("b", 2, 4);
  lru.get("a");
  lru.set("c", 3, 4);
  expect(gone).toEqual(["b"]);
  expect(lru.bytes).toBe(8);
  expect(lru.get("a")).toBe(1);
});

it("does not count a peek as use", () => {
  const lru = new ByteLru<number>(8);
  lru.set("a", 1, 4);
  lru.set("b", 2, 4);
  lru.peek("a");
  lru.set("c", 3, 4);
  expect(lru.has("a")).toBe(false);
});

it("keeps the newest entry even beyond the budget, and replaces without counting twice", () => {
  const lru = new ByteLru<number>(10);
  lru.set("big", 1, 100);
  expect(lru.has("big")).toBe(true);
  lru.set("big", 2, 6);
  expect(lru.bytes).toBe(6);
  lru.setBudget(1);
  lru.set("next", 3, 1);
  expect(lru.size).toBe(1);
});
