import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Tick, foldEvent, foldTick } from "./fold";
import type { SessionEvent, SessionState } from "./state";

const vectors = new URL("../../../../shared/vectors/session/folds.json", import.meta.url);
type Step = { readonly state: SessionState } & ({ readonly event: SessionEvent } | { readonly tick: Tick });

it("SE2: every step of the shared vectors leads to its state", () => {
  const { start, steps } = JSON.parse(readFileSync(vectors, "utf8")) as { start: SessionState; steps: Step[] };
  let state = start;
  for (const step of steps) {
    state = "event" in step ? foldEvent(state, step.event) : foldTick(state, step.tick).state;
    expect(state).toEqual(step.state);
  }
});
