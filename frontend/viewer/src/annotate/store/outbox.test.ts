import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { boxed } from "@wavescope/core/geometry/shape";
import type { Waiting } from "./ledger";
import { tabOutbox } from "./outbox";
import { someContent } from "./testing";

let stored = new Map<string, string>();
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const waiting: readonly Waiting[] = [
  { id: "new", base: { revision: 0, content: null }, mine: someContent(1, { name: "A", color: [1, 2, 3] }) },
  { id: "changed", base: { revision: 4, content: someContent(2) }, mine: someContent(3, { text: "B", class: "Duct" }) },
  { id: "deleted", base: { revision: 7, content: someContent(5) }, mine: null },
  {
    id: "box",
    base: { revision: 0, content: null },
    mine: someContent(0, { shape: boxed("ellipse", { minX: 1, minY: 2, maxX: 3, maxY: 4 }), z: 2 }),
  },
];

it("AN11: gives back after a reload what waited, per slide", () => {
  tabOutbox("he").write(waiting);
  expect(tabOutbox("he").read()).toEqual(waiting);
  expect(tabOutbox("er").read()).toEqual([]);
});

it("AN11: leaves nothing behind when nothing waits any more", () => {
  const outbox = tabOutbox("he");
  outbox.write(waiting);
  outbox.write([]);
  expect([stored.size, outbox.read()]).toEqual([0, []]);
});

it("stores none of what is too much for a tab", () => {
  const outbox = tabOutbox("he");
  outbox.write(waiting);
  outbox.write(Array.from({ length: 2001 }, (_, i) => ({ ...waiting[0]!, id: `${i}` })));
  expect(outbox.read()).toEqual([]);
});

it.each(["{", "null", '{"a":1}', '[{"id":"a","mine":{"type":"Feature"},"revision":1,"base":null}]'])(
  "reads what it cannot understand as nothing: %s",
  (text) => {
    stored.set("wavescope.annotations.he", text);
    expect(tabOutbox("he").read()).toEqual([]);
  },
);

it("does without a storage", () => {
  vi.stubGlobal("sessionStorage", undefined);
  const outbox = tabOutbox("he");
  outbox.write(waiting);
  expect(outbox.read()).toEqual([]);
});
