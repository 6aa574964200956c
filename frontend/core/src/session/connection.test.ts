import { describe, expect, it } from "vitest";
import { isFollowing } from "./client";
import { Connection, type Socket } from "./connection";
import type { SessionEvent } from "./state";
import { entry, member, session, view } from "./testing";

/** A peer that says what the test tells it to, and a clock that the test turns. */
class World {
  time = 1_000_000;
  jitter = 0;
  readonly sockets: (Socket & { sent: Record<string, unknown>[] })[] = [];
  private timers: { at: number; work: () => void; id: number }[] = [];
  readonly connection = new Connection({
    open: () => {
      const sent: Record<string, unknown>[] = [];
      const socket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        bufferedAmount: 0,
        sent,
        send: (text: string) => void sent.push(JSON.parse(text) as Record<string, unknown>),
        close: () => undefined,
      };
      this.sockets.push(socket);
      return socket;
    },
    now: () => this.time,
    set: (work, milliseconds) =>
      this.timers.push({ at: this.time + milliseconds, work, id: this.time * 1000 + this.timers.length }),
    clear: (id) => void (this.timers[id - 1]!.work = () => undefined),
    jitter: () => this.jitter,
    name: () => "window-1",
  });

  get socket() {
    return this.sockets.at(-1)!;
  }

  get state() {
    return this.connection.state.getState();
  }

  sent(type: string) {
    return this.socket.sent.filter((message) => message.type === type);
  }

  say(message: unknown): void {
    this.socket.onmessage!({ data: JSON.stringify(message) });
  }

  event(sequence: number, event: SessionEvent): void {
    this.say({ type: "event", sequence, time: this.time, by: "m1", event });
  }

  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      next.at = Infinity;
      next.work();
    }
    this.time = end;
  }

  welcome(change: object = {}): void {
    this.socket.onopen!();
    this.say({
      type: "welcome",
      version: 1,
      you: "m2",
      resumed: false,
      state: session(),
      last_ref: 0,
      tick_ms: 33,
      time: this.time + 5000,
      ...change,
    });
  }
}

function live(): World {
  const world = new World();
  world.connection.connect();
  world.welcome();
  return world;
}

describe("a window in a session", () => {
  it("SE13, SE14: says hello and takes the state", () => {
    const world = live();
    expect(world.socket.sent).toEqual([{ type: "hello", versions: [1, 2], client: "window-1", sequence: null }]);
    expect(world.state).toMatchObject({ phase: "live", you: "m2", clockOffset: 5000, session: session() });
  });

  it("SE14, SE20: resumes with its sequence and sends again what was not answered", () => {
    const world = live();
    world.connection.operate({ type: "hand", member: "m2", raised: true });
    world.connection.operate({ type: "follow", following: false });
    world.event(11, { kind: "member", member: member("m2", { hand: 7 }) });
    world.socket.onclose!({ code: 1006, reason: "" });
    expect(world.state.phase).toBe("waiting");
    world.pass(1);
    world.welcome({ resumed: true, state: null, last_ref: 1 });
    expect(world.sent("hello")).toEqual([{ type: "hello", versions: [1, 2], client: "window-1", sequence: 11 }]);
    expect(world.sent("follow")).toEqual([{ type: "follow", following: false, ref: 2 }]);
    expect(world.sent("hand")).toEqual([]);
    expect(world.state.session?.members[1]!.hand).toBe(7);
  });

  it("SE19: a gap in the events makes it ask for the whole state", () => {
    const world = live();
    world.event(12, { kind: "member", member: member("m3") });
    world.pass(1);
    world.welcome({ state: session({ sequence: 12 }) });
    expect(world.sent("hello")[0]!.sequence).toBeNull();
    expect(world.state.session?.sequence).toBe(12);
  });

  it("SE16: shows a view that came before its stage", () => {
    const world = live();
    const views = [entry({ stage: 2, view: view({ l0_x: 77 }) })];
    world.say({ type: "tick", time: 1, stage: 2, views, cursors: null, annotations: null });
    expect(world.state.session?.views).toEqual([]);
    world.event(11, { kind: "stage", stage: { number: 2, slide: "er", pair: null, tour: null }, views: [] });
    expect(world.state.session?.views).toEqual([entry({ stage: 2, view: view({ l0_x: 77 }) })]);
  });

  it.each([
    [4403, "removed"],
    [4410, "ended"],
    [4401, "shut-out"],
    [4409, "elsewhere"],
    [4406, "version"],
    [1000, "left"],
    [4400, "error"],
    [1009, "error"],
  ])("SE24: stays away after %i (%s), until it is asked to come", (code, ending) => {
    const world = live();
    world.socket.onclose!({ code, reason: "" });
    world.pass(60_000);
    expect([world.state.phase, world.state.ending, world.sockets.length]).toEqual(["over", ending, 1]);
    world.connection.connect();
    expect([world.state.phase, world.sockets.length]).toEqual(["connecting", 2]);
  });

  it("SE25: connects again at once and then ever later", () => {
    const world = live();
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const [count, since] = [world.sockets.length, world.time];
      world.socket.onclose!({ code: 1006, reason: "" });
      while (world.sockets.length === count) world.pass(1);
      waits.push(world.time - since);
    }
    expect(waits.map((wait) => Math.round(wait / 100) * 100)).toEqual([0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it("SE25: connects again within 250 ms when the session has moved", () => {
    const world = live();
    world.jitter = 0.8;
    world.socket.onclose!({ code: 1012, reason: "" });
    world.pass(199);
    expect(world.sockets).toHaveLength(1);
    world.pass(2);
    expect(world.sockets).toHaveLength(2);
  });

  it("SE26: asks after 15 silent seconds, and connects again after 10 more", () => {
    const world = live();
    world.pass(16_500);
    expect(world.sent("ping")).toHaveLength(1);
    world.say({ type: "pong", t: 1, time: 1 });
    world.pass(14_000);
    expect([world.sockets.length, world.sent("ping").length]).toEqual([1, 1]);
    world.pass(14_000);
    expect(world.sockets).toHaveLength(2);
  });

  it("tells what was refused", () => {
    const world = live();
    const refused: unknown[] = [];
    world.connection.listen({ refused: (operation, error) => refused.push([operation.type, error.code]) });
    world.connection.operate({ type: "end" });
    world.say({ type: "ack", ref: 1, sequence: 10, error: { code: "not-allowed", detail: "no" } });
    expect(refused).toEqual([["end", "not-allowed"]]);
    expect(world.state.unanswered).toEqual([]);
  });

  it("counts what it has said of following before it is answered", () => {
    const world = live();
    expect(isFollowing(world.state)).toBe(true);
    world.connection.operate({ type: "follow", following: false });
    expect(isFollowing(world.state)).toBe(false);
  });

  it("sends the newest view only, one a tick, and none while it is not connected", () => {
    const world = live();
    for (let i = 0; i < 10; i += 1)
      world.connection.view({ pane: 0, stage: 1, view: view({ l0_x: i }), motion: null, swipe: null });
    world.pass(40);
    expect(world.sent("view").map(({ view: sent }) => (sent as { l0_x: number }).l0_x)).toEqual([0, 9]);
    world.socket.onclose!({ code: 1006, reason: "" });
    world.pass(1);
    world.connection.view({ pane: 0, stage: 1, view: view(), motion: null, swipe: null });
    world.pass(100);
    expect(world.sent("view")).toEqual([]);
  });

  it("SE12: passes over types that it does not know, and stays away from what it cannot read", () => {
    const world = live();
    world.say({ type: "weather", sun: true });
    expect(world.state.phase).toBe("live");
    world.socket.onmessage!({ data: "{" });
    expect([world.state.phase, world.state.ending]).toEqual(["over", "error"]);
    const other = live();
    other.say({ type: "tick", time: 1, stage: 1, views: [{ pane: 0 }], cursors: null, annotations: null });
    expect([other.state.phase, other.state.ending]).toEqual(["over", "error"]);
  });
});
