import { describe, expect, it } from "vitest";
import { seeded } from "../wire/testing";
import { ByteLru } from "./byteLru";

describe("ByteLru", () => {
  it("stays within its budget by evicting what was used least recently", () => {
    const lru = new ByteLru<number>(10);
    lru.set("a", 1, 4);
    lru.set("b", 2, 4);
    lru.get("a");
    lru.set("c", 3, 4);
    expect([lru.has("a"), lru.has("b"), lru.has("c")]).toEqual([true, false, true]);
    expect(lru.bytes).toBe(8);
    expect(lru.get("a")).toBe(1);
  });

  it("does not count a peek as use", () => {
    const lru = new ByteLru<number>(8);
    lru.set("a", 1, 4);
    lru.set("b", 2, 4);
    expect(lru.peek("a")).toBe(1);
    lru.set("c", 3, 4);
    expect(lru.has("a")).toBe(false);
  });

  it("stores the newest entry even beyond the budget, and replaces without counting twice", () => {
    const lru = new ByteLru<number>(10);
    lru.set("big", 1, 100);
    expect(lru.has("big")).toBe(true);
    lru.set("big", 2, 6);
    expect([lru.bytes, lru.get("big")]).toEqual([6, 2]);
    lru.set("next", 3, 11);
    expect([lru.size, lru.bytes]).toEqual([1, 11]);
  });

  it("deletes what is there, and ignores what is not", () => {
    const lru = new ByteLru<number>(10);
    lru.set("a", 1, 4);
    lru.delete("b");
    expect(lru.bytes).toBe(4);
    lru.delete("a");
    expect([lru.bytes, lru.size, lru.get("a")]).toEqual([0, 0, undefined]);
  });

  it("agrees with a list in the order of use, over any sequence of operations", () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = seeded(seed);
      const next = (bound: number): number => Math.floor(random() * bound);
      const budget = 5 + next(40);
      const lru = new ByteLru<number>(budget);
      let model: { key: string; value: number; bytes: number }[] = [];
      for (let step = 0; step < 200; step += 1) {
        const key = "abcdefgh"[next(8)]!;
        const known = model.find((entry) => entry.key === key);
        const others = model.filter((entry) => entry !== known);
        const operation = next(4);
        if (operation === 0) {
          expect(lru.get(key)).toBe(known?.value);
          model = known ? [...others, known] : others;
        } else if (operation === 1) {
          lru.delete(key);
          model = others;
        } else {
          const entry = { key, value: step, bytes: next(12) };
          lru.set(key, entry.value, entry.bytes);
          model = [...others, entry];
          const sum = (): number => model.reduce((total, { bytes }) => total + bytes, 0);
          while (sum() > budget && model.length > 1) model.shift();
        }
        expect(lru.bytes).toBe(model.reduce((total, { bytes }) => total + bytes, 0));
        expect(lru.size).toBe(model.length);
        expect(model.every((entry) => lru.peek(entry.key) === entry.value)).toBe(true);
      }
    }
  });
});
