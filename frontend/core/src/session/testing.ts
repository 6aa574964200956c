/** A small session for tests. */
import type { Member, SessionState, SharedView, ViewEntry } from "./state";

export function member(id: string, change: Partial<Member> = {}): Member {
  const name = { m1: "Ada", m2: "Ben" }[id] ?? id;
  return {
    id,
    name,
    color: "#e03131",
    kind: "user",
    steers: id === "m1",
    following: true,
    present: true,
    hand: null,
    joined: 1,
    ...change,
  };
}

export function view(change: Partial<SharedView> = {}): SharedView {
  return {
    l0_x: 500,
    l0_y: 400,
    l0_width: 200,
    l0_height: 100,
    rotation: 0,
    flip: false,
    plane: 0,
    adjustments: null,
    ...change,
  };
}

export function entry(change: Partial<ViewEntry> = {}): ViewEntry {
  return { pane: 0, stage: 1, by: "m1", view: view(), motion: null, swipe: null, ...change };
}

export function session(change: Partial<SessionState> = {}): SessionState {
  return {
    id: "5f0c",
    code: "7KQM2XWD",
    title: "Breast",
    state: "live",
    sequence: 10,
    started: 1,
    owner: "m1",
    presenter: "m1",
    lost_until: null,
    settings: { everyone_steers: false, guests_annotate: false, locked: false, names: "presenter" },
    recording: null,
    slides: [
      { id: "he", title: "Duct" },
      { id: "er", title: "Receptor" },
    ],
    stage: { number: 1, slide: "he", pair: null, tour: null },
    members: [member("m1"), member("m2")],
    notes: [],
    views: [],
    cursors: [],
    annotations: [],
    ...change,
  };
}
