import { describe, expect, it } from "vitest";
import { seeded } from "../wire/testing";
import { type ClientState, type Effect, type Input, isFollowing, startClient, step } from "./client";
import { foldEvent } from "./fold";
import type { ServerMessage } from "./messages";
import type { Operation, SessionEvent, SessionState } from "./state";
import { entry, member, session } from "./testing";

const TICK = { type: "tick", time: 1, stage: 1, views: null, cursors: null, annotations: null } as const;
const PONG = { type: "pong", t: 1, time: 1 } as const;

const NOW = 1_000_000;

function welcome(change: Partial<Extract<ServerMessage, { type: "welcome" }>> = {}): ServerMessage {
  return {
    type: "welcome",
    version: 1,
    you: "m1",
    resumed: false,
    state: session(),
    last_ref: 0,
    tick_ms: 40,
    time: NOW + 250,
    ...change,
  };
}

const received = (message: ServerMessage | null, now = NOW): Input => ({ type: "received", message, now });
const event = (sequence: number, changed: SessionEvent, by: string | null = "m1"): Input =>
  received({ type: "event", sequence, time: NOW, by, event: changed });
const note = (text: string): SessionEvent => ({ kind: "note", note: { time: 1, by: "m1", text } });
const follow = (following: boolean): Operation => ({ type: "follow", following });

/** The state after inputs, and all effects on the way. */
function run(state: ClientState, ...inputs: Input[]): { state: ClientState; effects: Effect[] } {
  const effects: Effect[] = [];
  for (const input of inputs) {
    const next = step(state, input);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

const connecting: readonly Input[] = [{ type: "connect" }, { type: "opened", now: NOW }];
const live = (change: Partial<Extract<ServerMessage, { type: "welcome" }>> = {}): ClientState =>
  run(startClient("window-1"), ...connecting, received(welcome(change))).state;
const sent = (effects: readonly Effect[]) => effects.flatMap((one) => (one.do === "send" ? [one.message] : []));

describe("connecting", () => {
  it("SE13: opens, then says hello with its own name and without a sequence", () => {
    const { state, effects } = run(startClient("window-1"), ...connecting);
    expect(state.phase).toBe("greeting");
    expect(effects[0]).toEqual({ do: "open" });
    expect(sent(effects)).toEqual([{ type: "hello", versions: [1, 2], client: "window-1", sequence: null }]);
  });

  it("SE14: takes over state, member, pace and clock from the welcome", () => {
    const state = live();
    expect(state).toMatchObject({
      phase: "live",
      you: "m1",
      tickMs: 40,
      clockOffset: 250,
      attempts: 0,
      resumable: true,
    });
    expect(state.session).toEqual(session());
  });

  it("SE14: a resumed session keeps its state, without the cursors of before", () => {
    const cursors = [{ by: "m2", pane: 0 as const, l0_x: 1, l0_y: 2, laser: false }];
    const before = live({ state: session({ cursors }) });
    const { state } = run(before, { type: "closed", code: 1006, jitter: 0 }, ...connecting);
    const resumed = step(state, received(welcome({ state: null, resumed: true }))).state;
    expect(resumed.session).toEqual(session({ cursors: [] }));
  });

  it("closes where the service resumes what this window does not have", () => {
    const { effects, state } = run(startClient("w"), ...connecting, received(welcome({ state: null })));
    expect(effects.at(-1)).toEqual({ do: "close" });
    expect(state.session).toBeNull();
  });

  it.each([
    [1000, "left"],
    [1009, "error"],
    [4400, "error"],
    [4401, "shut-out"],
    [4403, "removed"],
    [4406, "version"],
    [4409, "elsewhere"],
    [4410, "ended"],
  ] as const)("stays away after code %i: %s", (code, ending) => {
    const operating = step(live(), { type: "operate", operation: follow(false) }).state;
    const { state, effects } = step(operating, { type: "closed", code, jitter: 0 });
    expect(state).toMatchObject({ phase: "over", ending, unanswered: [] });
    expect(effects).toEqual([]);
    expect(step(state, { type: "closed", code: 1006, jitter: 0 })).toEqual({ state, effects: [] });
    expect(step(state, { type: "operate", operation: follow(true) })).toEqual({ state, effects: [] });
    expect(step(state, received(welcome())).effects).toEqual([]);
  });

  it("SE24: tells who was never in from who was shut out, and SE51: what the host wrote to who was removed", () => {
    const never = run(startClient("window-1"), { type: "connect" }, { type: "closed", code: 4401, jitter: 0 }).state;
    expect(never.ending).toBe("not-a-member");
    const removed = step(live(), { type: "closed", code: 4403, jitter: 0, reason: "This is group A." }).state;
    expect(removed).toMatchObject({ ending: "removed", said: "This is group A." });
    expect(step(removed, { type: "connect" }).state.phase).toBe("connecting");
  });

  it("SE25: waits longer after each loss in a row, at most ten seconds, less by chance", () => {
    let state = live();
    const waits: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const lost = run(state, { type: "connect" }, { type: "closed", code: 1006, jitter: 0 });
      const last = lost.effects.at(-1)!;
      waits.push(last.do === "wait" ? last.milliseconds : NaN);
      state = lost.state;
    }
    expect(waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    const byChance = run(state, { type: "connect" }, { type: "closed", code: 1006, jitter: 1 }).effects.at(-1);
    expect(byChance).toEqual({ do: "wait", milliseconds: 5000 });
  });

  it("waits ten seconds where it sent too much, and not twice for one loss", () => {
    const { state, effects } = step(live(), { type: "closed", code: 4429, jitter: 1 });
    expect(effects).toEqual([{ do: "wait", milliseconds: 10_000 }]);
    expect(step(state, { type: "closed", code: 1006, jitter: 0 }).effects).toEqual([]);
  });
});

describe("events", () => {
  it("folds an event in and reports it", () => {
    const { state, effects } = step(live(), event(11, note("a"), "m2"));
    expect(state.session).toEqual(foldEvent(session(), note("a")));
    expect(effects).toEqual([{ do: "notify", event: note("a"), by: "m2" }]);
  });

  it.each([9, 10, 12])("SE19: closes at a gap (%i after 10), and asks for the whole state then", (sequence) => {
    const { state, effects } = step(live(), event(sequence, note("a")));
    expect(effects).toEqual([{ do: "close" }]);
    expect(state.session).toEqual(session());
    const again = run(state, { type: "closed", code: 1006, jitter: 0 }, ...connecting);
    expect(sent(again.effects)[0]).toMatchObject({ type: "hello", sequence: null });
  });

  it("SE19: closes at an event of a kind that it does not know", () => {
    const unknown = received({ type: "event", sequence: 11, time: NOW, by: null, event: null });
    expect(step(live(), unknown).effects).toEqual([{ do: "close" }]);
  });

  it("SE16: keeps early views until their stage comes", () => {
    const early = entry({ stage: 2 });
    const ticked = step(live(), received({ ...TICK, views: [early] })).state;
    expect([ticked.early, ticked.session?.views]).toEqual([[early], []]);
    const stage = { number: 2, slide: "er", pair: null, tour: null };
    const { state } = step(ticked, event(11, { kind: "stage", stage, views: [] }));
    expect([state.early, state.session?.views]).toEqual([[], [early]]);
  });

  it("ignores all but a welcome before it is live, and what it does not know", () => {
    const { state } = run(startClient("w"), ...connecting);
    for (const message of [null, PONG, { ...TICK, views: [entry()] }] as const)
      expect(step(state, received(message))).toEqual({ state, effects: [] });
    expect(step(live(), received(null)).effects).toEqual([]);
  });
});

describe("operations", () => {
  it("SE20: numbers them, sends them, and forgets them when they are answered", () => {
    const { state, effects } = run(
      live(),
      { type: "operate", operation: follow(false) },
      { type: "operate", operation: follow(true) },
    );
    expect(sent(effects).map((message) => "ref" in message && message.ref)).toEqual([1, 2]);
    const answered = step(state, received({ type: "ack", ref: 1, sequence: 10, error: null })).state;
    expect(answered.unanswered.map(({ ref }) => ref)).toEqual([2]);
  });

  it("reports what was refused, once", () => {
    const operating = step(live(), { type: "operate", operation: follow(false) }).state;
    const error = { code: "not-allowed", detail: "no" } as const;
    const refusal = received({ type: "ack", ref: 1, sequence: 10, error });
    const { state, effects } = step(operating, refusal);
    expect(effects).toMatchObject([{ do: "refuse", operation: { type: "follow", following: false }, error }]);
    expect(step(state, refusal).effects).toEqual([]);
  });

  it("SE20: sends after a loss what was not answered, in order, without what the service has", () => {
    const lost = run(
      live(),
      { type: "operate", operation: follow(false) },
      { type: "operate", operation: follow(true) },
      { type: "closed", code: 1006, jitter: 0 },
      { type: "operate", operation: follow(false) },
      ...connecting,
    );
    const { effects, state } = step(lost.state, received(welcome({ last_ref: 1 })));
    expect(sent(effects)).toMatchObject([
      { ref: 2, following: true },
      { ref: 3, following: false },
    ]);
    expect(state.unanswered.map(({ ref }) => ref)).toEqual([2, 3]);
  });

  it("counts what it has said of following before it is answered, the last of it", () => {
    const idle = live({ state: session({ members: [member("m1", { following: true })] }) });
    expect(isFollowing(idle)).toBe(true);
    const asked = run(
      idle,
      { type: "operate", operation: follow(true) },
      { type: "operate", operation: follow(false) },
    ).state;
    expect(isFollowing(asked)).toBe(false);
    expect(isFollowing(startClient("w"))).toBe(false);
  });
});

describe("silence", () => {
  const clock = (now: number): Input => ({ type: "clock", now });

  it("SE26: asks after 15 silent seconds, closes when nothing comes for 10 more", () => {
    expect(step(live(), clock(NOW + 15_000)).effects).toEqual([]);
    const asked = step(live(), clock(NOW + 15_001));
    expect(sent(asked.effects)).toEqual([{ type: "ping", t: NOW + 15_001 }]);
    expect(step(asked.state, clock(NOW + 25_001)).effects).toEqual([]);
    expect(step(asked.state, clock(NOW + 25_002)).effects).toEqual([{ do: "close" }]);
  });

  it("SE26: any message ends the waiting", () => {
    const asked = step(live(), clock(NOW + 15_001)).state;
    const answered = step(asked, received(PONG, NOW + 24_000)).state;
    expect(answered.pinged).toBeNull();
    expect(step(answered, clock(NOW + 39_000)).effects).toEqual([]);
  });

  it("measures from the question, not from the last message: clocks of sleeping laptops stand still", () => {
    const awake = step(live(), clock(NOW + 3_600_000));
    expect(sent(awake.effects).map(({ type }) => type)).toEqual(["ping"]);
  });

  it("closes where the greeting is not answered, and does nothing while it is not connected", () => {
    const { state } = run(startClient("w"), ...connecting);
    expect(step(state, clock(NOW + 15_001)).effects).toEqual([{ do: "close" }]);
    expect(step(startClient("w"), clock(NOW + 3_600_000)).effects).toEqual([]);
  });
});

describe("any sequence of inputs", () => {
  const kinds: readonly ((random: () => number, state: ClientState) => Input)[] = [
    () => ({ type: "connect" }),
    () => ({ type: "opened", now: NOW }),
    (random) => ({ type: "closed", code: [1006, 1001, 4429][Math.floor(random() * 3)]!, jitter: random() }),
    (random) => ({ type: "clock", now: NOW + Math.floor(random() * 60_000) }),
    (random) => ({ type: "operate", operation: follow(random() < 0.5) }),
    (random, { lastRef }) => received(welcome({ last_ref: Math.floor(random() * (lastRef + 1)) })),
    (_, { session: now }) => event((now?.sequence ?? 0) + 1, note("x")),
    (random, { lastRef }) =>
      received({ type: "ack", ref: 1 + Math.floor(random() * (lastRef + 1)), sequence: 10, error: null }),
    () => received({ ...TICK, views: [entry()] }),
  ];

  it("leaves references in order, sends only while connected, and never changes the state that it was given", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = seeded(seed);
      let state: ClientState = startClient("window-1");
      const events: SessionState["sequence"][] = [];
      for (let i = 0; i < 80; i += 1) {
        const input = kinds[Math.floor(random() * kinds.length)]!(random, state);
        const before = JSON.stringify(state);
        const next = step(state, input);
        expect(JSON.stringify(state)).toBe(before);
        const refs = next.state.unanswered.map(({ ref }) => ref);
        expect(refs).toEqual([...new Set(refs)].sort((one, other) => one - other));
        expect(refs.every((ref) => ref <= next.state.lastRef)).toBe(true);
        if (sent(next.effects).length > 0) expect(["greeting", "live"]).toContain(next.state.phase);
        if (next.effects.some((one) => one.do === "notify")) events.push(next.state.session!.sequence);
        if (next.state.phase === "live") expect(next.state.session).not.toBeNull();
        state = next.state;
      }
      expect(events.every((sequence) => sequence > 10)).toBe(true);
    }
  });
});
