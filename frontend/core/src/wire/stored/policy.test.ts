import { describe, expect, it } from "vitest";
import { OFFLINE_FOR, allowedBytes, evicted, mayShowOffline, principalOf } from "./policy";

const entry = (key: string, bytes: number, used = 0) => ({ key, bytes, used });

describe("what is stored of slides", () => {
  it("stays within the budget: the least recently used goes first, down to nine tenths (PG21)", () => {
    const oldest = [entry("a", 30), entry("b", 30), entry("c", 30), entry("d", 30)];
    expect(evicted(oldest, 120, 120)).toEqual([]);
    expect(evicted(oldest, 120, 119).map(({ key }) => key)).toEqual(["a"]);
    expect(evicted(oldest, 120, 60).map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(evicted(oldest, 120, 0)).toHaveLength(4);
  });

  it("takes at most half of what the browser grants (PG21)", () => {
    expect(allowedBytes(500, 2000)).toBe(500);
    expect(allowedBytes(500, 600)).toBe(300);
    expect(allowedBytes(500, undefined)).toBe(500);
  });

  it("is shown without the service for a day, and not by a clock that went back (PG24)", () => {
    expect(mayShowOffline(1000, 1000 + OFFLINE_FOR)).toBe(true);
    expect(mayShowOffline(1000, 1001 + OFFLINE_FOR)).toBe(false);
    expect(mayShowOffline(1000, 999)).toBe(false);
  });

  it("belongs to one account; a visitor without one has no store (PG22)", () => {
    expect(principalOf({ mode: "local", user: null })).toBe("local");
    expect(principalOf({ mode: "accounts", user: { id: "7" } })).toBe("user-7");
    expect(principalOf({ mode: "accounts", user: null })).toBe(null);
  });
});
