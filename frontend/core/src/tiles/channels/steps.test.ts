import { describe, expect, it } from "vitest";
import { type Steps, noSteps, recorded, redone, undone } from "./steps";

const made = (...given: [string | null, string, string][]): Steps<string> =>
  given.reduce<Steps<string>>((steps, [kind, before, after]) => recorded(steps, { kind, before, after }), noSteps);

describe("steps that are taken back", () => {
  it("come in the reverse order, and back again", () => {
    const first = undone(made([null, "a", "b"], [null, "b", "c"]))!;
    const second = undone(first.steps)!;
    expect([first.value, second.value, undone(second.steps)]).toEqual(["b", "a", null]);
    const third = redone(second.steps)!;
    expect([third.value, redone(third.steps)!.value, redone(redone(third.steps)!.steps)]).toEqual(["b", "c", null]);
  });

  it("are one where a slider is moved, and several of different ones", () => {
    const steps = made(["low", "a", "b"], ["low", "b", "c"], ["high", "c", "d"]);
    expect(undone(steps)!.value).toBe("c");
    expect(undone(undone(steps)!.steps)!.value).toBe("a");
  });

  it("are not continued after one was taken back, and what was taken back is gone then", () => {
    const { steps } = undone(made(["low", "a", "b"], ["high", "b", "c"]))!;
    const next = recorded(steps, { kind: "low", before: "b", after: "d" });
    expect([redone(next), undone(next)!.value]).toEqual([null, "b"]);
  });

  it("are 200 at most", () => {
    expect(made(...Array.from({ length: 300 }, () => [null, "a", "b"] as [null, string, string])).done).toHaveLength(
      200,
    );
  });
});
