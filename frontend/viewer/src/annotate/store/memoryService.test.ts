/** The service of the tests has the rules of the real one: the same vectors as in backend/tests/catalog/test_annotation_changes.py. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MemoryService, someContent } from "./testing";

interface Step {
  readonly change?: readonly [string, number, number | null];
  readonly lock?: readonly [string, boolean];
  readonly status?: string;
  readonly revision: number | null;
}

const VECTORS = new URL("../../../../../shared/vectors/annotations/changes.json", import.meta.url);

it("AN5, AN6, AN7, AN45: changes have the outcomes that the service gives them", async () => {
  const { steps } = JSON.parse(readFileSync(VECTORS, "utf8")) as { steps: readonly Step[] };
  const service = new MemoryService();
  for (const step of steps) {
    const { change, lock, status = null, revision } = step;
    if (change) {
      const [id, base, x] = change;
      const outcome = service.apply({ id, revision: base, content: x === null ? null : someContent(x) });
      expect([outcome.status, outcome.annotation?.revision ?? null], JSON.stringify(step)).toEqual([status, revision]);
    } else {
      const stored = await service.lock(...lock!).catch(() => null);
      expect(stored?.revision ?? null, JSON.stringify(step)).toBe(revision);
    }
  }
});
