import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Replay } from "@wavescope/core/session/replay";
import type { RecordingEntry } from "@wavescope/core/session/state";
import { session } from "@wavescope/core/session/testing";
import { participantOf } from "./live";
import { ReplayLink } from "./replaying";

const title = (time: number, name: string): RecordingEntry => ({
  kind: "event",
  time,
  sequence: 10 + time,
  by: "m1",
  event: { kind: "title", title: name, code: "7KQM2XWD" },
});
const entries: RecordingEntry[] = [
  { kind: "state", time: 0, state: session({ title: "start" }) },
  title(1000, "one"),
  title(3000, "three"),
];

let frames: Map<number, (now: number) => void>;
let next = 0;
let now = 0;
beforeEach(() => {
  frames = new Map();
  now = 500;
  vi.stubGlobal("requestAnimationFrame", (run: (now: number) => void) => {
    frames.set((next += 1), run);
    return next;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
});
afterEach(() => vi.unstubAllGlobals());

/** So many milliseconds later the browser draws. */
function draw(milliseconds: number): void {
  now += milliseconds;
  const due = [...frames.values()];
  frames.clear();
  for (const run of due) run(now);
}

const shown = (link: ReplayLink) => link.state.getState().session?.title;
const time = (link: ReplayLink) => link.playing.getState().time;

function play(): ReplayLink {
  const link = new ReplayLink(new Replay(entries));
  link.connect();
  draw(0);
  return link;
}

describe("SE38: a recording that plays", () => {
  it("begins with the first state, and shows each change at its time", () => {
    const link = play();
    expect([shown(link), time(link)]).toEqual(["start", 0]);
    draw(999);
    expect(shown(link)).toBe("start");
    draw(1);
    expect([shown(link), time(link)]).toEqual(["one", 1000]);
  });

  it("stops at its end, and plays from the beginning after that", () => {
    const link = play();
    draw(10_000);
    expect([shown(link), time(link), link.playing.getState().playing, frames.size]).toEqual(["three", 3000, false, 0]);
    link.play(true);
    expect([shown(link), time(link), frames.size]).toEqual(["start", 0, 1]);
  });

  it("goes as fast as it is set to, from then on", () => {
    const link = play();
    draw(100);
    link.setSpeed(4);
    draw(100);
    expect(time(link)).toBe(500);
  });

  it("pauses, and goes on without the time in between", () => {
    const link = play();
    draw(200);
    link.play(false);
    draw(5000);
    link.play(true);
    draw(1000);
    draw(300);
    expect(time(link)).toBe(500);
  });

  it("draws one frame at a time, however often play is called", () => {
    const link = play();
    link.play(true);
    link.play(true);
    expect(frames.size).toBe(1);
    link.close();
    expect([frames.size, link.playing.getState().playing]).toEqual([0, false]);
  });

  it.each([
    [-5, 0, "start"],
    [1500, 1500, "one"],
    [99_000, 3000, "three"],
  ])("seeks to %i within its bounds", (asked, at, name) => {
    const link = play();
    link.seek(asked);
    expect([time(link), shown(link)]).toEqual([at, name]);
  });
});

describe("who sees a recording", () => {
  it("is no member of it and follows it, until it moves by itself", () => {
    const link = play();
    expect(participantOf(link.state.getState())).toMatchObject({ you: "", following: true });
    link.operate({ type: "follow", following: false });
    expect(participantOf(link.state.getState())?.following).toBe(false);
  });

  it("changes nothing in it", () => {
    const link = play();
    const before = link.state.getState();
    link.operate({ type: "pause", paused: true });
    link.view();
    link.cursor();
    expect(link.state.getState()).toBe(before);
  });
});
