import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Poll, SessionState } from "@wavescope/core/session/state";
import { session } from "@wavescope/core/session/testing";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { rendered } from "../../../rendered";
import { NewestPollDots } from "./NewestPollDots";

const now = vi.hoisted(() => ({ whole: null as SessionState | null, answers: [] as object[] }));
vi.mock("../../state/useSession", () => ({
  useParticipant: () => now.whole && { whole: now.whole, session: now.whole, you: "m2", following: true },
  useClient: (choose: (client: object) => unknown) => choose({ own: { answers: now.answers } }),
}));
vi.mock("./PollDots", () => ({
  PollDots: ({ results, own }: { results: object | null; own: object | null }) => (
    <i>{`${results ? "results" : "hidden"} ${own ? "own" : "none"}`}</i>
  ),
}));

const spot = { l0_x: 1, l0_y: 2 };
const poll = (change: Partial<Poll>): Poll =>
  ({ id: "p", kind: "point", slide: "he", results: null, ...change }) as Poll;
const shown = (): string =>
  rendered(<NewestPollDots microscope={{ manifest: { id: "he" } } as unknown as Microscope} />);

describe("SE69: dots without the panel", () => {
  beforeEach(() => {
    now.whole = session({ polls: [poll({ id: "old" }), poll({})] });
    now.answers = [];
  });

  it("are what all see of the newest poll, with the own answer", () => {
    expect(shown()).toContain("hidden none");
    now.answers = [{ poll: "p", answer: { choices: [], point: spot } }];
    now.whole = session({ polls: [poll({ results: { counts: [], answers: [] } })] });
    expect(shown()).toContain("results own");
  });

  it("are none on another slide, without a poll and without a session", () => {
    now.whole = session({ polls: [poll({ slide: "er" })] });
    expect(shown()).toBe("");
    now.whole = session();
    expect(shown()).toBe("");
    now.whole = null;
    expect(shown()).toBe("");
  });
});
