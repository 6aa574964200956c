import { describe, expect, it } from "vitest";
import type { SessionEvent } from "@wavescope/core/session/state";
import { member, session } from "@wavescope/core/session/testing";
import { ENDINGS, clockLabel, endingText, eventMessage, groupedCode, handRaisedBy, refusalMessage } from "./labels";

it("a code is read out in two halves", () => {
  expect(groupedCode("7KQM2XWD")).toBe("7KQM-2XWD");
});

describe("what just happened", () => {
  const words = (event: SessionEvent, you = "m2", state = session()): string | null => eventMessage(event, state, you);
  const presenter = (id: string | null, reason: "taken" | "grace" = "taken"): SessionEvent => ({
    kind: "presenter",
    presenter: id,
    reason,
    lost_until: null,
  });
  const hand = (id: string, at: number | null) =>
    ({ kind: "member", member: member(id, { hand: at }) }) as SessionEvent;

  it("names who presents, and speaks to who reads it", () => {
    expect(words(presenter("m1"))).toBe("Ada is now presenting.");
    expect(words(presenter("m2"))).toBe("You are now presenting.");
    expect(words(presenter("m9"))).toBe("Someone is now presenting.");
  });

  it("tells of no presenter, and of one who is away, in other words", () => {
    const [none, away] = [words(presenter(null)), words(presenter("m1", "grace"))];
    expect(none).toBeTruthy();
    expect(away).toMatch(/Ada/);
    expect(away).not.toBe(words(presenter("m1")));
  });

  it("tells of pause and continuation, and leaves the end to the connection", () => {
    const state = (now: "live" | "paused" | "ended") => words({ kind: "state", state: now } as SessionEvent);
    expect(state("ended")).toBeNull();
    expect(state("paused")).not.toBe(state("live"));
    expect([state("paused"), state("live")].every(Boolean)).toBe(true);
  });

  it("tells when a recording begins and ends", () => {
    const recorded = words({ kind: "recording", recording: { id: "r", since: 1 } });
    const ended = words({ kind: "recording", recording: null });
    expect(recorded).toBeTruthy();
    expect(ended).toBeTruthy();
    expect(recorded).not.toBe(ended);
    const begun: SessionEvent = { kind: "recording", recording: { id: "r", since: 1 } };
    expect(eventMessage(begun, session(), session().owner), "who began it").toBeNull();
  });

  it("tells of another member's hand once, when it goes up", () => {
    const up = session({ members: [member("m1", { hand: 5 }), member("m2")] });
    const raised = (event: SessionEvent, before = session()) => handRaisedBy(event, before)?.name ?? null;
    expect(raised(hand("m1", 5))).toBe("Ada");
    expect(raised(hand("m1", 6), up), "it was up before").toBeNull();
    expect(raised(hand("m1", null), up), "it goes down").toBeNull();
  });

  it("says nothing about notes and other changes", () => {
    expect(words({ kind: "title", title: "New", code: "7KQM2XWD" })).toBeNull();
  });
});

describe("a refused operation", () => {
  it("is shown in a text of the page, or of the service", () => {
    const code = "busy" as const;
    expect(refusalMessage({ type: "leave" }, { code, detail: "raw" })).not.toBe("raw");
    const later = "brand-new" as typeof code;
    expect(refusalMessage({ type: "leave" }, { code: later, detail: "raw" })).toBe("raw");
  });

  it("to follow is not shown: the member sees it", () => {
    expect(refusalMessage({ type: "follow", following: true }, { code: "busy", detail: "x" })).toBeNull();
  });
});

it("SE51: who was removed reads what the host wrote, if anything", () => {
  expect(endingText({ ending: "removed", said: "This is group A." })).toContain("This is group A.");
  expect(endingText({ ending: "removed", said: "" })).toBe(
    "You were removed from the session. The host has removed you.",
  );
});

it("offers to come back only where that can help", () => {
  const again = Object.entries(ENDINGS).filter(([, ending]) => ending.again);
  expect(again.map(([name]) => name).sort()).toEqual(["elsewhere", "error", "removed"]);
});

it.each([
  [0, "0:00"],
  [999, "0:00"],
  [5000, "0:05"],
  [65_000, "1:05"],
  [599_999, "9:59"],
  [3_599_999, "59:59"],
  [3_600_000, "1:00:00"],
  [3_605_000, "1:00:05"],
  [36_061_000, "10:01:01"],
])("%i ms is written %s", (milliseconds, words) => {
  expect(clockLabel(milliseconds)).toBe(words);
});
